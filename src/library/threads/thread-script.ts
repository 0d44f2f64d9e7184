import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** A built file that a thread runs; undefined if Pollux runs from its sources. */
export function threadScript(
  name: "thread.js" | "walk-thread.cjs" = "thread.js",
): string | undefined {
  const paths = [`./${name}`, `../${name}`].map((path) => {
    return fileURLToPath(new URL(path, import.meta.url));
  });
  return paths.find((path) => existsSync(path));
}
