import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The built file that threads run; undefined if Pollux runs from its sources. */
export function threadScript(): string | undefined {
  const paths = ["./thread.js", "../thread.js"].map((name) => {
    return fileURLToPath(new URL(name, import.meta.url));
  });
  return paths.find((path) => existsSync(path));
}
