import { describe, expect, test } from "vitest";
import { Chain, readMade, SESSION } from "./records.ts";

describe("damage", () => {
  test("of a line loses only that line, and whole records on torn lines are read", () => {
    const chain = new Chain()
      .user("A?")
      .assistant([{ text: "A." }], 1)
      .user("B?");
    const [a, b, c] = chain.toString().trimEnd().split("\n");
    const text = `${a}\n${b?.slice(0, 60)}${c}\n{"uuid": nothing}\n`;
    const { sessions, diagnostics } = readMade({ [`chats/${SESSION}.jsonl`]: text });
    expect(sessions.map(({ messages }) => messages.map((message) => message.text))).toEqual([
      ["A?", "B?"],
    ]);
    expect(diagnostics.map(({ code, line }) => `${code} ${line}`)).toEqual([
      "glued-line 2",
      "bad-line 3",
    ]);
  });

  test("by unexpected names and unknown records is reported", () => {
    const { diagnostics } = readMade({
      [`chats/${SESSION}.jsonl`]: `{"a":1}\n${new Chain().add("prophecy").toString()}`,
      "chats/notes.txt": "x",
      [`chats/${SESSION}.runtime.json`]: "{}",
    });
    expect(diagnostics.map(({ code }) => code).toSorted()).toEqual([
      "bad-message",
      "odd-name",
      "unknown-entry",
    ]);
  });
});
