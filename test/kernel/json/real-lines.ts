import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

const FIXTURES = resolve(import.meta.dirname, "../../fixtures");
const LONGEST = 20_000;

/** Returns all JSONL lines of the fixtures shorter than `LONGEST`. */
export function realLines(): string[] {
  const names = readdirSync(FIXTURES, { recursive: true, encoding: "utf8" });
  const files = names.filter((name) => name.endsWith(".jsonl")).toSorted();
  const lines = files.flatMap((name) => readFileSync(join(FIXTURES, name), "utf8").split("\n"));
  return lines.filter((line) => line.length > 0 && line.length < LONGEST);
}
