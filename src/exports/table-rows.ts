import type { TokenField } from "../core/usage/counts.ts";
import type { Message } from "../core/session/message.ts";
import { emptyMessage } from "../core/session/message.ts";
import type { TokenSums } from "../core/rows/summary.ts";
import type { UsageFact } from "../core/usage/usage-fact.ts";
import { sumFacts } from "../core/usage/usage-facts.ts";
import type { ExportedSession } from "./export.ts";
import { paidReplies } from "../queries/usage/paid-replies.ts";

/** A cell of a table; absent is `null`. Times are epoch milliseconds. */
export type Cell = string | number | boolean | null;

export interface Column<Row> {
  name: string;
  type: "text" | "count" | "time" | "flag" | "json";
  value(row: Row): Cell;
}

export interface MessageRow extends ExportedSession {
  message: Message;
  number: number;
  /** Of the replies shown by this message. */
  messageTokens: TokenSums | null;
}

export interface CallRow extends MessageRow {
  call: Message["toolCalls"][number];
}

export interface UsageRow extends ExportedSession {
  fact: ExportedSession["usage"][number];
}

/** Adds a row for each request that no message shows, so that tokens add up. */
export function* messageRows(exported: ExportedSession): Generator<MessageRow> {
  const { shown, beside } = paidReplies(exported.session, exported.usage);
  let number = 0;
  for (const message of exported.messages) {
    number += 1;
    const facts = shown.get(message.id) ?? [];
    yield {
      ...exported,
      message,
      number,
      messageTokens: facts.length === 0 ? null : sumFacts(facts),
    };
  }
  for (const fact of beside) {
    number += 1;
    yield { ...exported, message: requestOf(fact), number, messageTokens: sumFacts([fact]) };
  }
}

function requestOf(fact: UsageFact): Message {
  const { messageId: id, at, model, standing, reason, purpose = "other", place } = fact;
  return {
    ...emptyMessage("model"),
    id,
    at,
    model,
    text: `(${purpose})`,
    standing,
    reason,
    place,
    places: [place],
  };
}

/** Skips copies of messages, which repeat calls. */
export function* callRows(exported: ExportedSession): Generator<CallRow> {
  for (const row of messageRows(exported)) {
    if (row.message.copyOf !== undefined) continue;
    for (const call of row.message.toolCalls) yield { ...row, call };
  }
}

export function* usageRows(exported: ExportedSession): Generator<UsageRow> {
  for (const fact of exported.usage) yield { ...exported, fact };
}

/** A recorded time as a cell. */
export function timeOf(at: string | null | undefined): number | null {
  const ms = Date.parse(at ?? "");
  return Number.isNaN(ms) ? null : ms;
}

type Texts<Row> = readonly (readonly [name: string, value: (row: Row) => string | undefined])[];

function texts<Row>(details: Texts<Row>): Column<Row>[] {
  return details.map(([name, value]) => ({
    name,
    type: "text",
    value: (row) => value(row) ?? null,
  }));
}

const SESSION: readonly Column<ExportedSession>[] = texts([
  ["session_id", ({ session }) => session.id],
  ["source", ({ session }) => session.source],
  ["project", ({ session }) => session.project.name],
  ["project_path", ({ session }) => session.project.path],
]);

const TOKEN_COLUMNS: readonly (readonly [name: string, field: TokenField])[] = [
  ["input_tokens", "input"],
  ["cached_tokens", "cached"],
  ["cache_write_tokens", "cacheWrite"],
  ["output_tokens", "output"],
  ["thoughts_tokens", "thoughts"],
  ["tool_tokens", "tool"],
  ["total_tokens", "total"],
];

export const MESSAGE_COLUMNS: readonly Column<MessageRow>[] = [
  ...SESSION,
  ...texts<MessageRow>([["message_id", ({ message }) => message.id]]),
  { name: "number", type: "count", value: ({ number }) => number },
  { name: "at", type: "time", value: ({ message }) => timeOf(message.at) },
  ...texts<MessageRow>([
    ["author", ({ message }) => message.author],
    ["level", ({ message }) => message.level],
    ["standing", ({ message }) => message.standing],
    ["reason", ({ message }) => message.reason],
    ["copy_of", ({ message }) => message.copyOf],
    ["model", ({ message }) => message.model],
  ]),
  { name: "is_prompt", type: "flag", value: ({ message }) => message.isPrompt },
  ...texts<MessageRow>([["text", ({ message }) => message.typed ?? message.text]]),
  { name: "thoughts", type: "count", value: ({ message }) => message.thoughts.length },
  { name: "tool_calls", type: "count", value: ({ message }) => message.toolCalls.length },
  ...TOKEN_COLUMNS.map(([name, field]): Column<MessageRow> => {
    return { name, type: "count", value: ({ messageTokens }) => messageTokens?.[field] ?? null };
  }),
];

export const CALL_COLUMNS: readonly Column<CallRow>[] = [
  ...SESSION,
  ...texts<CallRow>([
    ["message_id", ({ message }) => message.id],
    ["call_id", ({ call }) => call.id],
  ]),
  { name: "at", type: "time", value: ({ call, message }) => timeOf(call.at ?? message.at) },
  ...texts<CallRow>([
    ["name", ({ call }) => call.name],
    ["canonical", ({ call }) => call.canonical],
    ["category", ({ call }) => call.category],
    ["mcp_server", ({ call }) => call.mcp?.server],
    ["mcp_tool", ({ call }) => call.mcp?.tool],
    ["outcome", ({ call }) => call.outcome],
    ["standing", ({ message }) => message.standing],
    ["agent_session_id", ({ call }) => call.agentId],
  ]),
  { name: "arguments", type: "json", value: ({ call }) => JSON.stringify(call.args) ?? null },
  ...texts<CallRow>([["output", ({ call }) => call.output]]),
  { name: "is_output_cut", type: "flag", value: ({ call }) => call.isCut === true },
];

const COUNTS = [
  ["input_tokens", "input"],
  ["fresh_tokens", "fresh"],
  ["cached_tokens", "cached"],
  ["cache_write_5m_tokens", "cacheWrite5m"],
  ["cache_write_1h_tokens", "cacheWrite1h"],
  ["output_tokens", "output"],
  ["thoughts_tokens", "thoughts"],
  ["tool_tokens", "tool"],
  ["total_tokens", "total"],
  ["remainder_tokens", "remainder"],
  ["web_searches", "webSearches"],
] as const;

/** One paid reply; fresh, cached, cache write, output and thoughts add up to the total. */
export const USAGE_COLUMNS: readonly Column<UsageRow>[] = [
  ...SESSION,
  ...texts<UsageRow>([["message_id", ({ fact }) => fact.messageId]]),
  { name: "at", type: "time", value: ({ fact }) => timeOf(fact.at) },
  ...texts<UsageRow>([
    ["model", ({ fact }) => fact.model],
    ["standing", ({ fact }) => fact.standing],
    ["reason", ({ fact }) => fact.reason],
  ]),
  ...texts<UsageRow>([
    ["purpose", ({ fact }) => fact.purpose],
    ["tier", ({ fact }) => fact.tier],
  ]),
  { name: "is_at_least", type: "flag", value: ({ fact }) => fact.isAtLeast === true },
  ...COUNTS.map(([name, field]): Column<UsageRow> => {
    return { name, type: "count", value: ({ fact }) => fact[field] };
  }),
  ...texts<UsageRow>([["file", ({ fact }) => fact.place.file]]),
  { name: "line", type: "count", value: ({ fact }) => fact.place.line },
];
