/** Compiles the JSON walk; returns the source text of the module that contains it. */
export function compileKernel(): Promise<string>;
