import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect } from "vitest";
import { run } from "../cli/run.ts";

/** A home with files as the seeds describe them. */
export const PROJECT = "/home/mika/app";
export const HASH: string = createHash("sha256").update(PROJECT).digest("hex");
export const OTHER: string = "b".repeat(64);
export const home: string = mkdtempSync(join(tmpdir(), "seeds-"));
export const at = (second: number): string =>
  `2026-01-05T10:00:${String(second).padStart(2, "0")}.000Z`;
export const idOf = (letter: string): string => `${letter.repeat(8)}-1111-4111-8111-111111111111`;

export function write(path: string, content: unknown): void {
  const file = join(home, "tmp", path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
}

export const prompt = (content: unknown): object => ({
  id: "u",
  timestamp: at(1),
  type: "user",
  content,
});
export const counts = (input: number, output: number, more: object = {}): object => {
  return { input, output, cached: 0, thoughts: 0, tool: 0, total: input + output, ...more };
};
export const answer = (content: string, more: object = {}): object => {
  const tokens = counts(100, 10);
  return {
    id: "g",
    timestamp: at(2),
    type: "gemini",
    content,
    model: "gemini-2.5-pro",
    tokens,
    ...more,
  };
};
export const call = (id: string, name: string, more: object = {}): object => {
  const result = [{ functionResponse: { id, name, response: { output: "out" } } }];
  return { id, name, args: {}, status: "success", timestamp: at(3), result, ...more };
};

export function session(letter: string, messages: readonly object[], minute = "10-00"): string {
  const id = idOf(letter);
  const name = `session-2026-01-05T${minute}-${id.slice(0, 8)}.json`;
  const times = { startTime: at(0), lastUpdated: at(59) };
  write(`${HASH}/chats/${name}`, { sessionId: id, projectHash: HASH, ...times, messages });
  return id;
}

/** The fields that tests check; each answer has some of them. */
export interface Answered {
  session: { status: string };
  messages: {
    id: string;
    text: string;
    typed: string;
    isPrompt: boolean;
    thoughts: unknown[];
    toolCalls: { args: unknown }[];
  }[];
  totals: { tokens: object };
  rows: { key: string }[];
  sessions: { id: string; project: { path: string } }[];
  savedChats: unknown[];
  promptLogs: unknown[];
  tools: { name: string; label: string; canonical: string; category: string }[];
}

export async function asked(...args: readonly string[]): Promise<Answered> {
  const { out, err } = await run([...args, "--json", "--fresh", "--root", home]);
  expect(err).not.toMatch(/^pollux:/);
  return JSON.parse(out) as Answered;
}
