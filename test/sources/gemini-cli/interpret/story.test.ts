// @module-tag slow
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Message } from "../../../../src/core/session/message.ts";
import { playText } from "./play.ts";
import { Writer } from "./writer.ts";

/** Few words, so that the same text occurs several times. */
const words = fc.constantFrom("yes", "go on", "explain it", "no");
const replies = fc.constantFrom(
  "Done.",
  "Yes.",
  "At length, with more than forty letters, so be it.",
);

/** Events of a session, one after another. */
const act = fc.oneof(
  { weight: 6, arbitrary: fc.record({ ask: words, say: replies }) },
  {
    weight: 4,
    arbitrary: fc.record({ ask: words, work: fc.constantFrom("", "Reading."), say: replies }),
  },
  { weight: 1, arbitrary: fc.record({ ask: words }) },
  { weight: 1, arbitrary: fc.record({ rewindTo: fc.nat(5) }) },
  { weight: 1, arbitrary: fc.record({ compressTo: fc.nat(6) }) },
  {
    weight: 7,
    arbitrary: fc.constantFrom(
      "notice",
      "fail",
      "cancel",
      "cancel-copied",
      "mask",
      "save",
      "load",
      "again",
      "later",
    ),
  },
);
type Act = typeof act extends fc.Arbitrary<infer T> ? T : never;

const story = fc.array(act, { minLength: 1, maxLength: 14 });
const style = fc.constantFrom("one by one" as const, "merged" as const);

function perform(writer: Writer, step: Act): void {
  if (typeof step === "string") return performNamed(writer, step);
  if ("rewindTo" in step) return writer.rewind(step.rewindTo);
  if ("compressTo" in step) return writer.compress(step.compressTo);
  writer.prompt(step.ask);
  if ("work" in step) {
    writer.work(step.work);
    writer.work("");
  }
  if ("say" in step) writer.reply(step.say);
}

function performNamed(writer: Writer, name: string): void {
  if (name === "notice") writer.notice("Something happened.");
  else if (name === "fail") writer.fail();
  else if (name === "cancel") writer.cancel("listed");
  else if (name === "cancel-copied") writer.cancel("copied");
  else if (name === "mask") writer.mask();
  else if (name === "save") writer.save();
  else if (name === "load") writer.load();
  else if (name === "again") writer.resumeAtOnce();
  else writer.resumeLater();
}

function write(how: ConstructorParameters<typeof Writer>[0], acts: readonly Act[]): Writer {
  const writer = new Writer(how);
  for (const step of acts) perform(writer, step);
  return writer;
}

function read(writer: Writer): Message[] {
  return playText(writer.lines.map((line) => `${JSON.stringify(line)}\n`).join("")).messages;
}

function heard(messages: readonly Message[]): string[] {
  return messages
    .filter((message) => message.copyOf === undefined)
    .filter(({ author, isPrompt }) => isPrompt || author === "model")
    .map(({ author, text, toolCalls }) => `${author}: ${text}${toolCalls.length > 0 ? "…" : ""}`);
}

function described(writer: Writer, which: "memory" | "said"): string[] {
  return writer[which]
    .filter(({ answers, isSummary }) => answers === undefined && isSummary !== true)
    .map(({ role, words: said, call }) => {
      return `${role === "user" ? "user" : "model"}: ${said}${call === undefined ? "" : "…"}`;
    });
}

describe("after any sequence of events", () => {
  test("the live messages are what the model remembers, in order", () => {
    fc.assert(
      fc.property(style, story, (how, acts) => {
        const writer = write(how, acts);
        const live = read(writer).filter(({ standing }) => standing === "live");
        expect(heard(live)).toEqual(described(writer, "memory"));
      }),
      { numRuns: 1500 },
    );
  });

  test("no message is lost or duplicated", () => {
    fc.assert(
      fc.property(style, story, (how, acts) => {
        const writer = write(how, acts);
        expect(heard(read(writer)).toSorted()).toEqual(described(writer, "said").toSorted());
      }),
      { numRuns: 500 },
    );
  });

  test("every paid reply counts once", () => {
    fc.assert(
      fc.property(style, story, (how, acts) => {
        const writer = write(how, acts);
        const totals = read(writer).map(({ usage }) => usage?.total ?? 0);
        expect(totals.reduce((sum, total) => sum + total, 0)).toBe(writer.paid);
      }),
      { numRuns: 500 },
    );
  });
});
