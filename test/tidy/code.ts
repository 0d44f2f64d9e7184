import { posix } from "node:path";
import type { Syntax } from "./syntax.ts";
import { syntaxOf } from "./syntax.ts";
import { files } from "./tree.ts";

const code: readonly string[] = files.filter((path) => /^(src|web)\/.*\.tsx?$/.test(path));
export const syntax: ReadonlyMap<string, Syntax> = new Map(
  code.map((path) => [path, syntaxOf(path)]),
);

/** `src/core/session/session.ts` → `core`; a file directly in `src` belongs to the library. */
export function moduleOf(path: string): string {
  if (path.startsWith("web/")) return "web";
  const [, module = "", ...rest] = path.split("/");
  return rest.length > 0 ? module : "library";
}

function targetOf(path: string, from: string): string | undefined {
  return from.startsWith(".") ? posix.join(posix.dirname(path), from) : undefined;
}

export function everyImport(): {
  path: string;
  from: string;
  target?: string;
  isTypeOnly: boolean;
}[] {
  return [...syntax].flatMap(([path, { imports }]) =>
    imports.map(({ from, isTypeOnly }) => {
      const target = targetOf(path, from);
      return { path, from, isTypeOnly, ...(target === undefined ? {} : { target }) };
    }),
  );
}

/** Source files for which the check fails. */
export function offenders(isWrong: (path: string, module: string) => boolean): string[] {
  return code.filter((path) => isWrong(path, moduleOf(path)));
}
