import { describe, expect, test } from "vitest";
import { statusOf } from "../../../src/core/session/status.ts";
import {
  answer,
  callBlock,
  chain,
  onlySession,
  prompt,
  record,
  resultRecord,
  textBlock,
  summaryOf,
} from "./read-files.ts";

describe("branches", () => {
  test("a rewind leaves a branch that still counts as paid", () => {
    const lines = [
      prompt("one", { uuid: "a" }),
      answer("msg_1", [textBlock("first")], { uuid: "b", parentUuid: "a" }),
      prompt("two", { uuid: "c", parentUuid: "b" }),
      answer("msg_2", [textBlock("second")], { uuid: "d", parentUuid: "c" }),
      prompt("another way", { uuid: "e", parentUuid: "b" }),
      answer("msg_3", [textBlock("third")], { uuid: "f", parentUuid: "e" }),
    ];
    const session = onlySession(lines);
    expect(session.messages.map(summaryOf)).toEqual([
      ["user", "one", "live"],
      ["model", "first", "live"],
      ["user", "two", "rewound", "branch"],
      ["model", "second", "rewound", "branch"],
      ["user", "another way", "live"],
      ["model", "third", "live"],
    ]);
    expect(session.replies.map(({ standing }) => standing)).toEqual(["live", "rewound", "live"]);
  });

  test("parallel calls fork the chain, and all of them stay live", () => {
    const lines = [
      prompt("go", { uuid: "a" }),
      answer("msg_1", [callBlock("c1", "Read", {})], { uuid: "b", parentUuid: "a" }),
      answer("msg_1", [callBlock("c2", "Read", {})], { uuid: "c", parentUuid: "b" }),
      resultRecord("c1", "one", { uuid: "d", parentUuid: "b" }),
      resultRecord("c2", "two", { uuid: "e", parentUuid: "c" }),
      answer("msg_2", [textBlock("done")], { uuid: "f", parentUuid: "d" }),
    ];
    expect(onlySession(lines).messages.map(({ standing }) => standing)).toEqual([
      "live",
      "live",
      "live",
      "live",
      "live",
    ]);
  });

  test("an answer that was written before its prompt follows it, and is the end", () => {
    const lines = [
      answer("msg_1", [textBlock("first")], { uuid: "c", parentUuid: "b" }),
      prompt("one", { uuid: "a" }),
      record("attachment", { uuid: "b", parentUuid: "a", attachment: { type: "date" } }),
    ];
    const turn = [
      ["user", "one", "live"],
      ["model", "first", "live"],
    ];
    expect(onlySession(lines).messages.map(summaryOf)).toEqual(turn);
    const next = prompt("two", { uuid: "d", parentUuid: "c" });
    expect(onlySession([next, ...lines]).messages.map(summaryOf)).toEqual([
      ...turn,
      ["user", "two", "live"],
    ]);
    const circle = [
      prompt("a", { uuid: "a", parentUuid: "b" }),
      prompt("b", { uuid: "b", parentUuid: "a" }),
    ];
    expect(onlySession(circle).messages).toHaveLength(2);
  });

  test.each([
    ["one by one", { preservedMessages: { uuids: ["c"] } }],
    ["from the first to the last", { preservedSegment: { headUuid: "c", tailUuid: "c" } }],
  ])("a compaction replaces earlier messages except kept ones, named %s", (_how, kept) => {
    const lines = [
      prompt("one", { uuid: "a" }),
      answer("msg_1", [textBlock("first")], { uuid: "b", parentUuid: "a" }),
      answer("msg_2", [textBlock("kept")], { uuid: "c", parentUuid: "b" }),
      record("system", {
        uuid: "d",
        subtype: "compact_boundary",
        content: "Conversation compacted",
        logicalParentUuid: "c",
        compactMetadata: { trigger: "manual", ...kept },
      }),
      prompt("This session is being continued…", {
        uuid: "e",
        parentUuid: "d",
        isCompactSummary: true,
      }),
      prompt("two", { uuid: "f", parentUuid: "e" }),
    ];
    const session = onlySession(lines);
    expect(session.messages.map(summaryOf)).toEqual([
      ["user", "one", "rewritten", "compression"],
      ["model", "first", "rewritten", "compression"],
      ["model", "kept", "live"],
      ["notice", "Conversation compacted", "live"],
      ["user", "This session is being continued…", "live"],
      ["user", "two", "live"],
    ]);
    expect(session.compressions).toMatchObject([{ how: "summary", messageId: "e" }]);
  });

  test("a second compaction replaces what the first one kept", () => {
    const compacted = (uuid: string, last: string, kept: string[]): Record<string, unknown>[] => [
      record("system", {
        uuid,
        subtype: "compact_boundary",
        content: "Conversation compacted",
        logicalParentUuid: last,
        compactMetadata: { trigger: "manual", preservedMessages: { uuids: kept } },
      }),
      prompt("This session is being continued…", {
        uuid: `${uuid}s`,
        parentUuid: uuid,
        isCompactSummary: true,
      }),
    ];
    const lines = [
      prompt("one", { uuid: "a" }),
      answer("msg_1", [textBlock("kept once")], { uuid: "b", parentUuid: "a" }),
      ...compacted("c", "b", ["b"]),
      answer("msg_2", [textBlock("kept")], { uuid: "d", parentUuid: "cs" }),
      ...compacted("e", "d", ["d"]),
      prompt("two", { uuid: "f", parentUuid: "es" }),
    ];
    const live = onlySession(lines).messages.filter(({ standing, author }) => {
      return standing === "live" && author !== "notice";
    });
    expect(live.map(({ text }) => text)).toEqual([
      "kept",
      "This session is being continued…",
      "two",
    ]);
  });

  test("up to 1.0.110 a compaction starts a new root", () => {
    const lines = [
      prompt("one", { uuid: "a" }),
      answer("msg_1", [textBlock("first")], { uuid: "b", parentUuid: "a" }),
      prompt("This session is being continued from a previous conversation", { uuid: "c" }),
      prompt("two", { uuid: "d", parentUuid: "c" }),
    ];
    expect(onlySession(lines).messages.map(({ standing }) => standing)).toEqual([
      "rewritten",
      "rewritten",
      "live",
      "live",
    ]);
  });
});

describe("the status of a session", () => {
  const asked = prompt("hello");
  const done = answer("msg_1", [textBlock("hi")]);
  const open = answer("msg_2", [callBlock("c1", "Bash", {})]);
  const stopped = prompt("", {
    message: { role: "user", content: [textBlock("[Request interrupted by user]")] },
  });
  const failed = {
    ...answer("0", [textBlock("API Error: 500")], { message: { model: "<synthetic>" } }),
    isApiErrorMessage: true,
  };
  const left = prompt("<command-name>/exit</command-name>");

  test.each([
    ["is success after an answer", [asked, done], "success"],
    ["is success after an exit command", [asked, done, left], "success"],
    ["is interrupted with an open call", [asked, open], "interrupted"],
    [
      "is interrupted after a result without an answer",
      [asked, open, resultRecord("c1", "ok")],
      "interrupted",
    ],
    ["is interrupted without an answer", [asked], "interrupted"],
    ["is cancelled by the Esc key", [asked, done, stopped], "cancelled"],
    ["is failure after an API error", [asked, failed], "failure"],
  ])("%s", (_how, lines, status) => {
    expect(statusOf(onlySession(chain(...lines)))).toBe(status);
  });
});
