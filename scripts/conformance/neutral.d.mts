import type { Library } from "../../src/library/library.ts";

export declare function neutralAnswer(
  library: Library,
  home: string,
): Promise<Record<string, unknown>>;
