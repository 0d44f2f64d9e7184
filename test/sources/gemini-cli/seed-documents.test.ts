import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readHome } from "../../samples/read-home.ts";
import { memoryBytes } from "../../../src/kernel/bytes.ts";
import { open } from "../../../src/library/library.ts";
import { restoreRecord } from "../../../src/library/records.ts";
import { geminiCli } from "../../../src/sources/gemini-cli/index.ts";
import type { Root } from "../../../src/sources/source.ts";

/** A home with one session file. */
function madeHome(name: string, content: unknown, indent?: number): Root {
  const path = join(mkdtempSync(join(tmpdir(), "pollux-seed-")), ".gemini");
  const chats = join(path, "tmp", "ledger", "chats");
  mkdirSync(chats, { recursive: true });
  writeFileSync(join(chats, name), JSON.stringify(content, null, indent));
  return { path, because: "a test", isFound: true };
}

function homeWith(name: string, content: unknown, indent?: number): ReturnType<typeof readHome> {
  return readHome(geminiCli, madeHome(name, content, indent), "full");
}

test("a history in place of a session is a session named after its file", () => {
  const { sessions, diagnostics } = homeWith("session-2025-09-18T02-45-3b44bc68.json", {
    history: [
      { role: "user", parts: [{ text: "Read the config" }] },
      { role: "model", parts: [{ text: "I will." }] },
    ],
  });
  expect(sessions.map(({ id }) => id)).toEqual(["session-2025-09-18T02-45-3b44bc68"]);
  expect(sessions[0]?.messages.map(({ author }) => author)).toEqual(["user", "model"]);
  expect(sessions[0]?.replies).toEqual([]);
  expect(diagnostics.map(({ code }) => code)).toContain("no-session-id");
});

test.each([undefined, 2])("a document without a session id is read (indent %s)", (indent) => {
  const document = {
    startTime: "2026-01-05T10:00:00.000Z",
    messages: [
      { id: "u1", timestamp: "2026-01-05T10:00:00.000Z", type: "user", content: "hello" },
      { id: "g1", timestamp: "2026-01-05T10:00:01.000Z", type: "gemini", content: "hi" },
    ],
  };
  const { sessions, diagnostics } = homeWith(
    "session-2026-01-05T10-00-abcdefab.json",
    document,
    indent,
  );
  expect(sessions.map(({ id }) => id)).toEqual(["session-2026-01-05T10-00-abcdefab"]);
  expect(sessions[0]?.messages).toHaveLength(2);
  expect(diagnostics.map(({ code }) => code)).toEqual(["no-session-id"]);
});

test("lines without a header are a session named after its file, with a diagnostic", () => {
  const { sessions, diagnostics } = homeWith("session-2026-01-05T10-00-abcdefab.jsonl", said);
  expect(sessions.map(({ id }) => id)).toEqual(["session-2026-01-05T10-00-abcdefab"]);
  expect(diagnostics.map(({ code }) => code)).toEqual(["no-session-id"]);
});

const said = { id: "u1", timestamp: "2026-01-05T10:00:00.000Z", type: "user", content: "hello" };

test.each([
  ["messages", { messages: [said] }],
  ["a history", { history: [{ role: "user", parts: [{ text: "hello" }] }] }],
])("%s in a file with another name is not a session", (_what, content) => {
  const { sessions, diagnostics } = homeWith("notes.json", content);
  expect(sessions).toEqual([]);
  expect(diagnostics.map(({ code }) => code)).toEqual(["unknown-format"]);
});

test("a file with another name is a session if it has a session id", () => {
  const { sessions, diagnostics } = homeWith("imported.json", {
    sessionId: "s1",
    messages: [said],
  });
  expect(sessions.map(({ id }) => id)).toEqual(["s1"]);
  expect(diagnostics).toEqual([]);
});

test.each([
  ["a history", "history", { role: "model", parts: [{ text: "hi" }] }],
  ["a document without an id", "messages", { id: "g1", type: "gemini", content: "hi" }],
])("the record of %s contains its messages and restores them", async (_what, list, answer) => {
  const asked =
    list === "history"
      ? { role: "user", parts: [{ text: "hello" }] }
      : { id: "u1", timestamp: "2026-01-05T10:00:00.000Z", type: "user", content: "hello" };
  const { path } = madeHome("session-2026-01-05T10-00-abcdefab.json", { [list]: [asked, answer] });
  const record = await open({ roots: [path] }).record("latest");
  const bytes = Buffer.concat([...record.chunks()]);
  const { session } = JSON.parse(bytes.toString("utf8")) as {
    session: { entries: { type: string }[] };
  };
  expect(session.entries.map(({ type }) => type)).toEqual(["user", "assistant"]);
  const [file] = await restoreRecord(memoryBytes("record", bytes));
  const restored = Buffer.concat([...(file?.chunks() ?? [])]).toString("utf8");
  expect(JSON.parse(restored)).toEqual({ [list]: [asked, answer] });
});

test("replies of two sessions that share a handmade id are two replies", () => {
  const reply = (at: string): string => {
    const tokens = { input: 100, output: 5, cached: 0, thoughts: 0, tool: 0, total: 105 };
    const message = { id: "g1", timestamp: at, type: "gemini", content: "x", model: "m", tokens };
    return JSON.stringify(message);
  };
  const ids = ["2026-01-05T10:00:01.000Z", "2026-01-06T10:00:01.000Z"].map((at, number) => {
    const home = homeWith(`session-2026-01-0${number}T10-00-abcdefab.json`, {
      sessionId: `s${number}`,
      messages: [JSON.parse(reply(at))],
    });
    return home.sessions[0]?.replies[0]?.id;
  });
  expect(new Set(ids).size).toBe(2);
});
