import { isRequest } from "../../core/session/message.ts";
import { keyOf } from "../../core/session/links.ts";
import type { Session } from "../../core/session/session.ts";
import type { SessionRow } from "../../core/rows/session-rows.ts";
import type { ToolCall } from "../../core/session/tool-call.ts";
import type { CommandsOf } from "../../core/rows/tool-facts.ts";
import type { PaidReply } from "../../core/usage/usage-fact.ts";
import { cacheWriteOf } from "../../core/usage/usage-facts.ts";
import { costOfReply, roundMoney } from "../prices/cost.ts";
import type { LedgerFilter } from "./ledger.ts";
import { replyTime } from "./ledger.ts";
import type { PriceBook } from "../prices/prices.ts";

/**
 * How the tool-use prompt is counted. `ledger` counts it as input, which it is; `seed` counts it as
 * output, like the parser whose record format this is.
 */
export const ARITHMETICS = ["ledger", "seed"] as const;
export type Arithmetic = (typeof ARITHMETICS)[number];

export interface CallsQuery extends LedgerFilter {
  arithmetic?: Arithmetic;
}

/** One paid reply in the field names of other tools, one JSON line each. Unknown is `null`. */
export interface CallRecord {
  dedup_key: string;
  timestamp: string | null;
  model: string | null;
  /** Prompt tokens at the full price. */
  input_tokens: number;
  /** All written tokens, including thoughts. */
  output_tokens: number;
  cached_input_tokens: number | null;
  cache_read_input_tokens: number | null;
  /** Tokens written to the cache at their own price; 0 if the agent pays nothing for it. */
  cache_creation_input_tokens: number;
  /** The part of `output_tokens` that is thoughts; `null` if not counted separately. */
  reasoning_tokens: number | null;
  /** Web searches that the vendor ran; part of the cost. */
  web_searches: number | null;
  /** The final count was never recorded; the true count may be higher. */
  is_at_least: boolean;
  /** Purpose of a request outside the conversation. */
  purpose: string | null;
  /** Labels of the tools that the reply called. */
  tools: string[];
  /** Commands found in its shell lines. */
  bash_commands: string[];
  /** The beginning of the prompt. */
  user_message: string | null;
  /** Dollars; `cost_micro_usd` is the same in whole millionths. */
  cost: number | null;
  cost_micro_usd: number | null;
  session_id: string;
  message_id: string;
  project: string;
  source: string;
  standing: string;
  file: string;
  line: number;
}

export interface CallsBasis {
  /** Ordered by session. */
  replies: readonly PaidReply[];
  /** By `keyOf(source, id)`. */
  rows: ReadonlyMap<string, SessionRow>;
  prices: PriceBook;
  commandsOf: CommandsOf;
  /** Reads a session in full, for its prompts and calls. */
  read: (row: SessionRow) => Promise<Session | undefined>;
}

/** Call records by session; holds only one session in memory. */
export async function* callsOf(
  basis: CallsBasis,
  { arithmetic = "ledger" }: CallsQuery = {},
): AsyncGenerator<CallRecord> {
  let current = "";
  let context = new CallContext(undefined);
  for (const reply of basis.replies) {
    const key = keyOf(reply.source, reply.sessionId);
    const row = basis.rows.get(key);
    if (!row) continue;
    if (key !== current) {
      current = key;
      context = new CallContext(await basis.read(row));
    }
    const { path, name } = row.summary.project;
    yield recordOf(reply, { ...basis, context, project: path ?? name }, arithmetic);
  }
}

/** Prompts and tool calls of a session, by message. */
class CallContext {
  readonly #prompts = new Map<string, string>();
  readonly #calls: ReadonlyMap<string, readonly ToolCall[]>;

  constructor(session: Session | undefined) {
    const messages = session?.messages ?? [];
    this.#calls = new Map(messages.map(({ id, toolCalls }) => [id, toolCalls]));
    let asked: string | undefined;
    for (const message of messages) {
      if (isRequest(message)) asked = preview(message.typed ?? message.text);
      else if (asked !== undefined) this.#prompts.set(message.id, asked);
    }
  }

  promptOf({ messageId }: PaidReply): string | null {
    return this.#prompts.get(messageId) ?? null;
  }

  callsOf({ messageId }: PaidReply): readonly ToolCall[] {
    return this.#calls.get(messageId) ?? [];
  }
}

const PREVIEW_LENGTH = 200;

function preview(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  if (line.length <= PREVIEW_LENGTH) return line;
  // Avoids cutting a surrogate pair.
  return `${line.slice(0, PREVIEW_LENGTH - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}

function recordOf(
  reply: PaidReply,
  about: Pick<CallsBasis, "prices" | "commandsOf"> & { context: CallContext; project: string },
  arithmetic: Arithmetic,
): CallRecord {
  const counts = countsOf(reply, arithmetic);
  const cost = costOfReply({ ...reply, ...counts }, replyTime(reply).ms, about.prices);
  const micro = cost.kind === "priced" ? roundMoney(cost.money) : null;
  const calls = about.context.callsOf(reply);
  return {
    dedup_key: reply.dedupKey,
    timestamp: replyTime(reply).at ?? null,
    model: reply.model ?? null,
    input_tokens: counts.fresh,
    output_tokens: counts.output + (reply.thoughts ?? 0),
    cached_input_tokens: reply.cached,
    cache_read_input_tokens: reply.cached,
    cache_creation_input_tokens: cacheWriteOf(reply) ?? 0,
    reasoning_tokens: reply.thoughts,
    web_searches: reply.webSearches,
    is_at_least: reply.isAtLeast === true,
    purpose: reply.purpose ?? null,
    tools: calls.map(({ label }) => label),
    bash_commands: calls.flatMap(({ shellLine }) =>
      shellLine === undefined ? [] : about.commandsOf(shellLine),
    ),
    user_message: about.context.promptOf(reply),
    cost: micro === null ? null : micro / 1e6,
    cost_micro_usd: micro,
    session_id: reply.sessionId,
    message_id: reply.messageId,
    project: about.project,
    source: reply.source,
    standing: reply.standing,
    file: reply.place.file,
    line: reply.place.line,
  };
}

function countsOf(reply: PaidReply, arithmetic: Arithmetic): { fresh: number; output: number } {
  const { fresh, output, tool } = reply;
  if (arithmetic === "ledger") return { fresh, output };
  return { fresh: fresh - (tool ?? 0), output: output + (tool ?? 0) };
}
