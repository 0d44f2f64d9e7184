import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fixtures } from "../../../samples/gemini-fixtures.ts";
import type { Message } from "../../../../src/core/session/message.ts";
import type { PlayedFile } from "../../../../src/sources/gemini-cli/interpret/file-replay.ts";
import { mergeFiles } from "../../../../src/sources/gemini-cli/interpret/session.ts";
import { playFile } from "./play.ts";
import { Writer } from "./writer.ts";

/** All session files below a folder. */
function filesBelow(folder: string): { path: string; text: Buffer }[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /[\\/]chats([\\/]|$)/.test(entry.parentPath))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ path, text: readFileSync(path) }));
}

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length <= 1) return [[...items]];
  return items.flatMap((item, index) => {
    const others = items.filter((_, other) => other !== index);
    return permutations(others).map((rest) => [item, ...rest]);
  });
}

describe("files of one session", () => {
  const cases = ["0.6.1-migrate", "0.38.2-migrate", "0.45.2-resume-gap", "set-aside"];

  test.each([...cases, "split-by-compression"])("%s: give the same result in any order", (name) => {
    const files = filesBelow(join(fixtures, "homes", name));
    expect(files.length).toBeGreaterThan(1);
    const merged = permutations(files).map((order) =>
      mergeFiles(
        "id",
        order.map(({ path, text }) => playFile(text, { path })),
      ),
    );
    for (const other of merged) expect(other).toEqual(merged[0]);
  });

  test("have a part: whole, copy, continuation or stub", () => {
    const parts = (name: string): string[] => {
      const files = filesBelow(join(fixtures, "homes", name));
      const played = files.map(({ path, text }) => playFile(text, { path }));
      return mergeFiles("id", played).files.map(({ part }) => part);
    };
    expect(parts("0.6.1-migrate")).toEqual(["whole", "copy", "continuation"]);
    expect(parts("0.45.2-resume-gap")).toEqual(["whole", "stub", "stub"]);
    expect(parts("split-by-compression")).toEqual(["whole", "continuation"]);
  });
});

/** The first lines of a session as a file; the last `$set.lastUpdated` is its time. */
function copyOf(writer: Writer, lines: number, path: string): PlayedFile {
  const text = writer.lines.slice(0, lines).map((line) => `${JSON.stringify(line)}\n`);
  return playFile(text.join(""), { path, sizeBytes: text.join("").length });
}

function outcomes(messages: readonly Message[]): string[] {
  return messages.map(({ id, standing, text, usage, toolCalls }) => {
    return [id, standing, text, usage?.total, toolCalls.map(({ outcome }) => outcome)].join(" ");
  });
}

describe("older copies of a JSONL file", () => {
  const step = fc.constantFrom("ask", "work", "rewind", "compress", "mask", "again", "later");
  const story = fc.array(step, { minLength: 1, maxLength: 10 });
  const cuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 3 });

  function write(steps: readonly string[]): Writer {
    const writer = new Writer();
    steps.forEach((name, index) => {
      if (name === "ask" || name === "work") {
        writer.prompt(`Prompt ${index}`);
        if (name === "work") writer.work("");
        writer.reply(`Reply ${index}`);
      } else if (name === "rewind") writer.rewind(index);
      else if (name === "compress") writer.compress(2);
      else if (name === "mask") writer.mask();
      else if (name === "again") writer.resumeAtOnce();
      else writer.resumeLater();
    });
    return writer;
  }

  test("neither add nor remove anything", () => {
    fc.assert(
      fc.property(story, cuts, fc.boolean(), (steps, places, isReversed) => {
        const writer = write(steps);
        const { length } = writer.lines;
        const whole = mergeFiles("id", [copyOf(writer, length, "m-whole")]);
        const copies = places.map((place, index) => {
          return copyOf(writer, Math.ceil(place * length), `${index % 2 ? "z" : "a"}-${index}`);
        });
        const files = [...copies, copyOf(writer, length, "m-whole")];
        const merged = mergeFiles("id", isReversed ? files.toReversed() : files);
        expect(outcomes(merged.messages).toSorted()).toEqual(outcomes(whole.messages).toSorted());
        const live = (all: readonly Message[]): string[] =>
          outcomes(all.filter(({ standing }) => standing === "live"));
        expect(live(merged.messages)).toEqual(live(whole.messages));
      }),
      { numRuns: 300 },
    );
  });
});

describe("an older copy of a document", () => {
  const at = (minute: number): string => `2026-05-04T10:0${minute}:00.000Z`;
  const message = (id: string, minute: number): object => {
    return { id, timestamp: at(minute), type: id.startsWith("u") ? "user" : "gemini", content: id };
  };
  const document = (ids: readonly string[], updated: number): string => {
    const messages = ids.map((id) => message(id, Number(id.slice(1))));
    return JSON.stringify({ sessionId: "S", lastUpdated: at(updated), messages }, null, 2);
  };
  const standings = (older: string, newer: string): string[] => {
    const played = [playFile(newer, { path: "b.json" }), playFile(older, { path: "a.json" })];
    const { messages } = mergeFiles("S", played);
    return messages.map(({ id, standing }) => `${id} ${standing}`);
  };

  test("shows what a rewind cut off", () => {
    const older = document(["u1", "g2", "u3", "g4"], 4);
    expect(standings(older, document(["u1", "g2"], 5))).toEqual([
      "u1 live",
      "g2 live",
      "u3 rewound",
      "g4 rewound",
    ]);
  });

  test("shows it even if the session continued", () => {
    const older = document(["u1", "g2", "u3", "g4"], 4);
    expect(standings(older, document(["u1", "g2", "u6", "g7"], 7))).toEqual([
      "u1 live",
      "g2 live",
      "u3 rewound",
      "g4 rewound",
      "u6 live",
      "g7 live",
    ]);
  });

  test("adds nothing to a session that only continued", () => {
    const older = document(["u1", "g2"], 2);
    expect(standings(older, document(["u1", "g2", "u3"], 3))).toEqual([
      "u1 live",
      "g2 live",
      "u3 live",
    ]);
  });
});
