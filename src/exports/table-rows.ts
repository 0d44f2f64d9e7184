import type { Message } from "../core/message.ts";
import type { ExportedSession } from "./export.ts";

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
}

export interface CallRow extends MessageRow {
  call: Message["toolCalls"][number];
}

export interface UsageRow extends ExportedSession {
  fact: ExportedSession["usage"][number];
}

export function* messageRows(exported: ExportedSession): Generator<MessageRow> {
  let number = 0;
  for (const message of exported.session.messages) {
    number += 1;
    yield { ...exported, message, number };
  }
}

/** Copies of messages repeat calls: they bring none. */
export function* callRows(exported: ExportedSession): Generator<CallRow> {
  for (const row of messageRows(exported)) {
    if (row.message.copyOf !== undefined) continue;
    for (const call of row.message.toolCalls) yield { ...row, call };
  }
}

export function* usageRows(exported: ExportedSession): Generator<UsageRow> {
  for (const fact of exported.usage) yield { ...exported, fact };
}

function timeOf(at: string | undefined): number | null {
  const ms = Date.parse(at ?? "");
  return Number.isNaN(ms) ? null : ms;
}

type Texts<Row> = readonly (readonly [name: string, value: (row: Row) => string | undefined])[];

function texts<Row>(told: Texts<Row>): Column<Row>[] {
  return told.map(([name, value]) => ({ name, type: "text", value: (row) => value(row) ?? null }));
}

const SESSION: readonly Column<ExportedSession>[] = texts([
  ["session_id", ({ session }) => session.id],
  ["source", ({ session }) => session.source],
  ["project", ({ session }) => session.project.name],
  ["project_path", ({ session }) => session.project.path],
]);

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
  { name: "input_tokens", type: "count", value: ({ message }) => message.usage?.input ?? null },
  { name: "cached_tokens", type: "count", value: ({ message }) => message.usage?.cached ?? null },
  { name: "output_tokens", type: "count", value: ({ message }) => message.usage?.output ?? null },
  {
    name: "thoughts_tokens",
    type: "count",
    value: ({ message }) => message.usage?.thoughts ?? null,
  },
  { name: "tool_tokens", type: "count", value: ({ message }) => message.usage?.tool ?? null },
  { name: "total_tokens", type: "count", value: ({ message }) => message.usage?.total ?? null },
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

type Count = "input" | "fresh" | "cached" | "output" | "thoughts" | "tool" | "total" | "remainder";
const COUNTS: readonly Count[] = [
  "input",
  "fresh",
  "cached",
  "output",
  "thoughts",
  "tool",
  "total",
  "remainder",
];

/** One paid reply, split once: `fresh + cached + output + thoughts = total`. */
export const USAGE_COLUMNS: readonly Column<UsageRow>[] = [
  ...SESSION,
  ...texts<UsageRow>([["message_id", ({ fact }) => fact.messageId]]),
  { name: "at", type: "time", value: ({ fact }) => timeOf(fact.at) },
  ...texts<UsageRow>([
    ["model", ({ fact }) => fact.model],
    ["standing", ({ fact }) => fact.standing],
    ["reason", ({ fact }) => fact.reason],
  ]),
  ...COUNTS.map((name): Column<UsageRow> => {
    return { name: `${name}_tokens`, type: "count", value: ({ fact }) => fact[name] };
  }),
  ...texts<UsageRow>([["file", ({ fact }) => fact.place.file]]),
  { name: "line", type: "count", value: ({ fact }) => fact.place.line },
];
