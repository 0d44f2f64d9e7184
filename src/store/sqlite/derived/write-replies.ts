import { groupBy } from "../../../core/group.ts";
import type { SessionRows } from "../../../core/rows/session-rows.ts";
import type { UsageFact } from "../../../core/usage/usage-fact.ts";
import { modelName } from "../../../core/usage/usage-fact.ts";
import { msOf, namesCalled, tokensOf, unusualTime } from "../../row-values.ts";
import type { Database } from "../database.ts";
import { NO_TIME } from "./derived-schema.ts";
import type { Value } from "../driver.ts";
import { digestOf, insertInto } from "../sql.ts";

const COLUMNS = [
  "session",
  "position",
  "digest",
  "reply",
  "message",
  "message_length",
  "message_hash",
  "ledger_key",
  "time_ms",
  "is_own_time",
  "at_text",
  "model",
  "model_text",
  "standing",
  "reason",
  "is_at_least",
  "purpose",
  "tier",
  "file",
  "file_path",
  "line",
  "start_byte",
  "end_byte",
  "input",
  "fresh",
  "cached",
  "cache_write_5m",
  "cache_write_1h",
  "output",
  "thoughts",
  "tool",
  "total",
  "web_searches",
  "remainder",
  "oddities",
  "tools",
  "servers",
  "is_owner",
];
const INSERT = insertInto("replies", COLUMNS);

/** Writes one row per paid reply, marked as owned until owners are settled. */
export function putReplies(database: Database, key: number, rows: SessionRows): void {
  const { session, usage, tools } = rows;
  const started = msOf(rows.summary.startedAt) ?? NO_TIME;
  const prefix = `${session.ledgerName}:${session.id}:`;
  const positions = new Map(session.files.map(({ path }, position) => [path, position]));
  const calls = groupBy(tools, ({ messageId }) => messageId);
  for (const [position, fact] of usage.entries()) {
    const file = positions.get(fact.place.file);
    const called = calls.get(fact.messageId) ?? [];
    database.run(
      INSERT,
      key,
      position,
      digestOf(session.source, fact.replyId),
      ...namesOf(fact, session.source),
      ledgerKey(fact, prefix),
      ...timesOf(fact.at, started),
      ...attributesOf(fact),
      file ?? 0,
      file === undefined ? fact.place.file : null,
      fact.place.line,
      fact.place.start,
      fact.place.end,
      ...tokensOf(fact),
      fact.oddities === undefined ? null : JSON.stringify(fact.oddities),
      namesCalled(called, ({ name }) => name),
      namesCalled(called, ({ mcp }) => mcp?.server),
      1,
    );
  }
}

/**
 * Ids are long and often prefixes of one another: a message id that follows from the reply id is
 * not stored.
 */
function namesOf({ replyId, messageId }: UsageFact, source: string): Value[] {
  const isStart = messageId !== "" && replyId.startsWith(messageId);
  return [
    replyId,
    isStart ? null : messageId,
    isStart && messageId !== replyId ? Array.from(messageId).length : null,
    digestOf(source, messageId).readUInt32BE(),
  ];
}

/** The reply's time, else its session's start. Times in the usual form are not stored as text. */
function timesOf(at: string | undefined, started: number): Value[] {
  const own = msOf(at);
  return [own ?? started, own === null ? 0 : 1, unusualTime(at, own)];
}

/** `null` if the key follows from the reply id, an empty text if it follows from the message id. */
function ledgerKey({ replyId, messageId, dedupKey }: UsageFact, prefix: string): string | null {
  if (dedupKey === prefix + replyId) return null;
  return dedupKey === prefix + messageId ? "" : dedupKey;
}

function attributesOf(fact: UsageFact): Value[] {
  const model = modelName(fact.model);
  const isAtLeast = fact.isAtLeast === undefined ? null : Number(fact.isAtLeast);
  return [
    model ?? null,
    model === fact.model ? null : (fact.model ?? null),
    fact.standing,
    fact.reason ?? null,
    isAtLeast,
    fact.purpose ?? null,
    fact.tier ?? null,
  ];
}
