import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import type { RestoreAnswer } from "../../../src/library/restore.ts";
import { open } from "../../../src/library/library.ts";

const NOW = Date.UTC(2026, 10, 16);
const HEADER = { sessionId: "s1", projectHash: "h", startTime: "2026-11-15T00:00:00.000Z" };

function messageOf(number: number): object {
  const timestamp = new Date(NOW + number * 1000).toISOString();
  const type = number % 2 === 0 ? "user" : "gemini";
  return { id: `m${number}`, timestamp, type, content: `said ${number} ${"x".repeat(200)}` };
}

/** A home whose session has these lines, and a function that restores it elsewhere. */
function homeWith(lines: readonly string[]): {
  sizeBytes: number;
  restore: () => Promise<RestoreAnswer>;
} {
  const folder = mkdtempSync(join(tmpdir(), "pollux-cost-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const root = join(folder, ".gemini");
  const chats = join(root, "tmp", "ledger", "chats");
  mkdirSync(chats, { recursive: true });
  const file = join(chats, "session-2026-11-15T00-00-s1.jsonl");
  writeFileSync(file, `${lines.join("\n")}\n`);
  const library = open({ roots: [root], environment: { env: {}, homeDir: "/home/ada" } });
  const into = join(folder, "into", ".gemini");
  const options = { into, projectPath: "/home/ada/ledger", nowMs: NOW };
  return {
    sizeBytes: statSync(file).size,
    restore: () => library.restore("s1", options),
  };
}

test("a line that lists all messages is parsed a few times, not once per message", async () => {
  const messages = Array.from({ length: 300 }, (_, number) => messageOf(number));
  const rewrite = JSON.stringify({ $set: { messages } });
  const { sizeBytes, restore } = homeWith([
    JSON.stringify(HEADER),
    ...messages.map((message) => JSON.stringify(message)),
    ...Array.from({ length: 20 }, () => rewrite),
  ]);
  const parse = vi.spyOn(JSON, "parse");
  onTestFinished(() => parse.mockRestore());
  expect((await restore()).messages).toBe(300);
  const parsed = parse.mock.calls.reduce((sum, [text]) => sum + text.length, 0);
  expect(parsed / sizeBytes).toBeLessThan(6);
});

test("deeply nested arguments are refused with an error", async () => {
  const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
  const call = `{"id":"c1","name":"read_file","args":{"a":${deep}},"status":"success"}`;
  const { restore } = homeWith([
    JSON.stringify(HEADER),
    JSON.stringify(messageOf(0)),
    `{"id":"m1","type":"gemini","content":"x","toolCalls":[${call}]}`,
  ]);
  await expect(restore()).rejects.toMatchObject({ code: "too-deep" });
});
