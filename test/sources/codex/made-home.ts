import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Session } from "../../../src/core/session/session.ts";
import type { ToolCall } from "../../../src/core/session/tool-call.ts";
import { readHome } from "../../samples/read-home.ts";
import { codex } from "../../../src/sources/codex/index.ts";
import type { Depth } from "../../../src/sources/source.ts";

/** Threads of a made-up home: their ids begin with the time, as in UUIDv7. */
export const THREAD = "01a1e100-0000-7000-8000-00000000000a";
export const LATER = "01a1e200-0000-7000-8000-00000000000b";

export function turnId(number: number, of: string = THREAD): string {
  return `${of.slice(0, 9)}${String(number).padStart(4, "0")}${of.slice(13)}`;
}

export interface Line {
  type: string;
  payload: unknown;
  at?: string;
}

export function event(type: string, payload: object = {}): Line {
  return { type: "event_msg", payload: { type, ...payload } };
}

export function item(payload: object): Line {
  return { type: "response_item", payload };
}

export function said(role: string, text: string): Line {
  const type = role === "assistant" ? "output_text" : "input_text";
  return item({ type: "message", role, content: [{ type, text }] });
}

export function meta(id: string, more: object = {}): Line {
  const payload = { id, timestamp: "2026-11-15T20:00:00.000Z", cwd: "/home/ada/ledger", ...more };
  return { type: "session_meta", payload };
}

/** A token_count event with the running total and the last response. */
export function counter(total: number, last: number): Line {
  const info = { total_token_usage: usage(total), last_token_usage: usage(last) };
  return event("token_count", { info });
}

export function usage(input: number): object {
  return {
    input_tokens: input,
    cached_input_tokens: 0,
    output_tokens: 0,
    reasoning_output_tokens: 0,
    total_tokens: input,
  };
}

/** A turn as written by 0.130. */
export function turn(number: number, of: string, answer: { said: string; total: number }): Line[] {
  const id = turnId(number, of);
  return [
    event("task_started", { turn_id: id }),
    { type: "turn_context", payload: { turn_id: id, model: "gpt-5.5", cwd: "/home/ada/ledger" } },
    said("user", `Prompt ${number}.`),
    event("user_message", { message: `Prompt ${number}.` }),
    event("agent_message", { message: answer.said }),
    said("assistant", answer.said),
    counter(answer.total, 10),
    event("task_complete", { turn_id: id, last_agent_message: answer.said }),
  ];
}

const base = mkdtempSync(join(tmpdir(), "pollux-codex-"));
let homes = 0;

/** Rollouts by the ids in their names; `ordinals` is the number of the first line. */
export function homeOf(rollouts: Record<string, { lines: Line[]; ordinals?: number }>): string {
  const root = join(base, String((homes += 1)));
  for (const [ids, { lines, ordinals }] of Object.entries(rollouts)) {
    const text = lines.map(({ at = "2026-11-15T20:00:01.000Z", ...line }, number) => {
      const ordinal = ordinals === undefined ? {} : { ordinal: ordinals + number };
      return `${JSON.stringify({ timestamp: at, ...ordinal, ...line })}\n`;
    });
    writeFile(root, `sessions/2026/11/15/rollout-2026-11-15T20-00-00-${ids}.jsonl`, text.join(""));
  }
  return root;
}

export function writeFile(root: string, path: string, text: string): string {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
  return root;
}

export function sessionsOf(root: string, depth: Depth = "full"): Session[] {
  return readHome(codex, { path: root, because: "test", isFound: true }, depth).sessions;
}

/** The only session of a home with one rollout. */
export function sessionOf(lines: Line[], depth: Depth = "full"): Session {
  const [session] = sessionsOf(homeOf({ [THREAD]: { lines } }), depth);
  if (!session) throw new Error("The home holds a session.");
  return session;
}

/** Author and text of each message, with its standing. */
export function talkOf({ messages }: Session): string[] {
  return messages.map(({ author, text, standing }) => `${standing} ${author}: ${text}`);
}

/** The beginning of a turn. */
export const START: Line[] = [
  meta(THREAD),
  event("task_started", { turn_id: turnId(1) }),
  {
    type: "turn_context",
    payload: { turn_id: turnId(1), model: "gpt-5.5", cwd: "/home/ada/ledger" },
  },
];

export function callsOf(lines: Line[]): ToolCall[] {
  return sessionOf([...START, ...lines]).messages.flatMap(({ toolCalls }) => toolCalls);
}

export function called(name: string, args: unknown, output: unknown): Line[] {
  return [
    item({ type: "function_call", name, arguments: JSON.stringify(args), call_id: "c1" }),
    item({ type: "function_call_output", call_id: "c1", output }),
  ];
}
