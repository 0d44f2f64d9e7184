import { describe, expect, test } from "vitest";
import type { Entry } from "../../src/sources/gemini-cli/content.ts";
import { FileReplay } from "../../src/sources/gemini-cli/interpret/file-replay.ts";
import { memoryBytes } from "../../src/kernel/bytes.ts";
import { appendJsonl } from "../../src/sources/gemini-cli/formats/append-jsonl.ts";
import { readWith } from "../contracts/format.ts";

function entriesOf(lines: readonly object[]): Entry[] {
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  return readWith(appendJsonl, memoryBytes("file", Buffer.from(text))).entries;
}

function play(entries: readonly Entry[]): FileReplay {
  const replay = new FileReplay();
  for (const entry of entries) replay.play(entry);
  return replay;
}

function prompt(id: string): object {
  return { id, type: "user", content: [{ text: `Prompt ${id}` }] };
}

function reply(id: string): object {
  const tokens = { input: 10, output: 1, cached: 0, thoughts: 0, tool: 0, total: 11 };
  return { id, type: "gemini", content: `Reply ${id}`, tokens, model: "m" };
}

const MANY = 100_000;
const turns = Array.from({ length: MANY / 2 }, (_, index) => [
  prompt(`u${index}`),
  reply(`g${index}`),
]).flat();

/** Quadratic cost would take hours here instead of seconds. */
describe("a session of a hundred thousand messages", () => {
  test("replays 20,000 small rewrites after it", () => {
    const summary = {
      id: "s",
      type: "user",
      content: [{ text: "<state_snapshot>All.</state_snapshot>" }],
    };
    const after = Array.from({ length: 20_000 }, (_, index) => [
      prompt(`n${index}`),
      { $set: { messages: [summary, prompt(`n${index}`)] } },
    ]).flat();
    const replay = play(entriesOf([...turns, ...after]));
    expect(replay.messages.length).toBe(MANY + 1 + 20_000);
    expect(replay.messages.filter(({ standing }) => standing === "live").length).toBe(2);
  });

  test("replays rewrites that list all messages", () => {
    const whole = { $set: { messages: turns } };
    const entries = entriesOf([...turns, whole]);
    const replay = play(entries);
    for (let again = 0; again < 20; again += 1)
      entries.slice(-1).forEach((entry) => replay.play(entry));
    expect(replay.messages.every(({ standing }) => standing === "live")).toBe(true);
  });

  test("replays ten thousand rewinds by one turn, with the messages recorded again", () => {
    const back = Array.from({ length: 10_000 }, (_, index) => [
      { $rewindTo: `u${MANY / 2 - 1 - index}` },
    ]).flat();
    const replay = play(entriesOf([...turns, ...back, ...turns.slice(-20_000)]));
    expect(replay.messages.length).toBe(MANY);
    expect(replay.messages.every(({ standing }) => standing === "live")).toBe(true);
  });

  test("replays a rewind of everything, with all messages recorded again", () => {
    const replay = play(entriesOf([...turns, { $rewindTo: "nobody" }, ...turns]));
    expect(replay.messages.length).toBe(MANY);
    expect(replay.messages.every(({ standing }) => standing === "live")).toBe(true);
  });
});
