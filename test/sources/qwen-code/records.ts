import type { Session } from "../../../src/core/session/session.ts";
import { readHome } from "../../samples/read-home.ts";
import type { Depth } from "../../../src/sources/source.ts";
import { qwenCode } from "../../../src/sources/qwen-code/index.ts";
import { madeHome } from "../made-home.ts";

type Json = Record<string, unknown>;

export const SESSION = "11111111-2222-4333-8444-555555555555";
export const OTHER = "aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee";
export const PROJECT = "/home/ada/projects/ledger";
const FOLDER = "-home-ada-projects-ledger";

/** Writes records as the program does: each has the previous one as its parent. */
export class Chain {
  readonly records: (Json & { uuid: string })[] = [];
  readonly #common: Json;
  #count = 0;

  constructor(common: Json = {}) {
    this.#common = { sessionId: SESSION, cwd: PROJECT, version: "0.24.4", ...common };
  }

  get last(): string {
    return this.records.at(-1)?.uuid ?? "";
  }

  add(type: string, more: Json = {}): this {
    this.#count += 1;
    const at = new Date(Date.UTC(2026, 4, 4, 10, 0, this.#count)).toISOString();
    const parentUuid = this.records.at(-1)?.uuid ?? null;
    const name = String(this.#common["agentId"] ?? this.#common["sessionId"]).slice(0, 4);
    const uuid = `${name}-${this.#count}`;
    this.records.push({ uuid, parentUuid, timestamp: at, type, ...this.#common, ...more });
    return this;
  }

  user(text: string, more: Json = {}): this {
    return this.add("user", { message: { role: "user", parts: [{ text }] }, ...more });
  }

  /** A completed request with counts derived from a number. */
  request(number: number, event: Json = {}): this {
    const counts = {
      input_token_count: 1000 * number,
      output_token_count: 10 * number,
      cached_content_token_count: number,
      thoughts_token_count: 2 * number,
      total_token_count: 1010 * number,
    };
    const uiEvent = {
      "event.name": "qwen-code.api_response",
      model: "qwen3-coder-plus",
      auth_type: "openai",
      prompt_id: `${SESSION}########0`,
      ...counts,
      ...event,
    };
    return this.system("ui_telemetry", { uiEvent });
  }

  assistant(parts: Json[], number?: number): this {
    const counts = number === undefined ? {} : { usageMetadata: metadata(number) };
    const message = { role: "model", parts };
    return this.add("assistant", { model: "qwen3-coder-plus", message, ...counts });
  }

  result(id: string, response: Json, more: Json = {}): this {
    const name = more["name"] ?? "run_shell_command";
    const parts = [{ functionResponse: { id, name, response } }];
    const message = { role: "user", parts };
    return this.add("tool_result", { message, toolCallResult: { callId: id, ...more } });
  }

  system(subtype: string, systemPayload: Json, more: Json = {}): this {
    return this.add("system", { subtype, systemPayload, ...more });
  }

  toString(): string {
    return this.records.map((record) => `${JSON.stringify(record)}\n`).join("");
  }
}

function metadata(number: number): Json {
  return {
    promptTokenCount: 1000 * number,
    candidatesTokenCount: 10 * number,
    thoughtsTokenCount: 2 * number,
    cachedContentTokenCount: number,
    totalTokenCount: 1010 * number,
  };
}

export function call(id: string, name: string, args: Json): Json {
  return { functionCall: { id, name, args } };
}

/** A home with these files; those of the main project have short names. */
export function homeOf(files: Record<string, string | object>): string {
  const entries = Object.entries(files).map(([name, content]) => {
    const isShort = name.startsWith("chats/") || name.startsWith("subagents/");
    return [isShort ? `.qwen/projects/${FOLDER}/${name}` : `.qwen/${name}`, content];
  });
  return `${madeHome(Object.fromEntries(entries) as Record<string, string>)}/.qwen`;
}

export function readMade(
  files: Record<string, string | object>,
  depth: Depth = "full",
): ReturnType<typeof readHome> {
  return readHome(qwenCode, { path: homeOf(files), because: "a test", isFound: true }, depth);
}

/** Reads one session made of a chain. */
export function readChain(chain: Chain, depth: Depth = "full"): ReturnType<typeof readHome> {
  return readMade({ [`chats/${SESSION}.jsonl`]: chain.toString() }, depth);
}

export function only(chain: Chain): Session {
  const [session] = readChain(chain).sessions;
  if (!session) throw new RangeError("The chain gave no session.");
  return session;
}

/** `user: text (reason if not live)` */
export function said({ messages }: Session): string[] {
  return messages.map(({ author, text, standing, reason }) => {
    return `${author}: ${text}${standing === "live" ? "" : ` (${reason ?? standing})`}`;
  });
}

export function prompts({ messages }: Session): (string | undefined)[] {
  return messages.filter(({ isPrompt }) => isPrompt).map(({ typed }) => typed);
}
