import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { fileOf, fixtures } from "../../../samples/gemini-fixtures.ts";
import { playText } from "./play.ts";

const files = readdirSync(join(fixtures, "append-jsonl"))
  .filter((name) => /^\d/.test(name))
  .map((name) => ({ name, bytes: fileOf("append-jsonl", name) }));

/** What a session is: every message with its standing and its price. */
function told(bytes: Buffer): string[] {
  return playText(bytes).messages.map(({ id, standing, reason, usage, toolCalls }) => {
    return [id, standing, reason, usage?.total, toolCalls.length].join(" ");
  });
}

describe("an appended file that is cut anywhere", () => {
  test.each(files)("$name is the session as it stood then", ({ bytes }) => {
    const firstLine = bytes.indexOf(10) + 1;
    let known: string[] = [];
    let lineStart = 0;
    for (let end = 1; end <= bytes.length; end += 1) {
      const isWhole = bytes[end - 1] === 10;
      if (isWhole) {
        known = told(bytes.subarray(0, end));
        lineStart = end;
      } else if ((end - lineStart) % 97 === 0 && bytes[end] !== 10) {
        // Half a line tells nothing; a whole one needs no newline to be told.
        const cut = told(bytes.subarray(0, end));
        expect(cut).toEqual(end < firstLine ? [] : known);
      }
    }
    expect(known).toEqual(told(bytes));
  });
});
