/** Compiles the JSON walk; gives the text of the module that holds it. */
export function compileKernel(): Promise<string>;
