import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** A built file that a thread runs; undefined if Pollux runs from its sources. */
export function threadScript(
  name: "thread.cjs" | "walk-thread.cjs" = "thread.cjs",
): string | undefined {
  const path = fileURLToPath(new URL(name, import.meta.url));
  return existsSync(path) ? path : undefined;
}
