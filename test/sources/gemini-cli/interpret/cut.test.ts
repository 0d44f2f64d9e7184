import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { fileOf, fixtures } from "../../../samples/gemini-fixtures.ts";
import { playText } from "./play.ts";

const files = readdirSync(join(fixtures, "append-jsonl"))
  .filter((name) => /^\d/.test(name))
  .map((name) => ({ name, bytes: fileOf("append-jsonl", name) }));

/** Every message of a session with its standing and usage. */
function described(bytes: Buffer): string[] {
  return playText(bytes).messages.map(({ id, standing, reason, usage, toolCalls }) => {
    return [id, standing, reason, usage?.total, toolCalls.length].join(" ");
  });
}

describe("a JSONL file that is cut anywhere", () => {
  test.each(files)("$name gives the session as it was then", ({ bytes }) => {
    const firstLine = bytes.indexOf(10) + 1;
    let known: string[] = [];
    let lineStart = 0;
    for (let end = 1; end <= bytes.length; end += 1) {
      const isWhole = bytes[end - 1] === 10;
      if (isWhole) {
        known = described(bytes.subarray(0, end));
        lineStart = end;
      } else if ((end - lineStart) % 97 === 0 && bytes[end] !== 10) {
        // A torn line adds nothing; a complete line needs no newline.
        const cut = described(bytes.subarray(0, end));
        expect(cut).toEqual(end < firstLine ? [] : known);
      }
    }
    expect(known).toEqual(described(bytes));
  });
});
