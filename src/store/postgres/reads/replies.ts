import type { Standing, StandingReason } from "../../../core/session/message.ts";
import type { PaidReply, ReplyPurpose, ReplyTimes } from "../../../core/usage/usage-fact.ts";
import { QUARTER_MS } from "../../prompt-classes.ts";
import type { SplitColumns } from "../../row-values.ts";
import { splitOf } from "../../row-values.ts";
import type { ReplyQuery, ScopedFilter } from "../../store.ts";
import type { Connection } from "../connection.ts";
import { inScope, whereLedger, whereRecord, whereWithin } from "./filters.ts";
import { Query } from "./query.ts";
import { DAY_MS } from "../../../core/instant.ts";

interface ReplyRow extends SplitColumns {
  source: string;
  id: string;
  ledger_name: string;
  started_at: string | null;
  reply: string;
  message: string | null;
  ledger_key: string | null;
  at_ms: number | null;
  at_text: string | null;
  model: string | null;
  standing: Standing;
  reason: StandingReason | null;
  is_at_least: boolean | null;
  purpose: ReplyPurpose | null;
  tier: string | null;
  file: string;
  line: number;
  start_byte: number;
  end_byte: number;
}

/** Sort value of sessions without a start: last. */
const LAST = Number.MAX_SAFE_INTEGER;

/** Copies whose counts differ from those of the owner. */
const UNEQUAL = `replies.owner IS NOT NULL AND NOT EXISTS (SELECT 1 FROM replies AS own
  WHERE own.session = replies.owner AND own.key = replies.key
    AND (own.input, own.cached, own.output, own.thoughts, own.total) IS NOT DISTINCT FROM
      (replies.input, replies.cached, replies.output, replies.thoughts, replies.total))`;

export async function findReplies(
  connection: Connection,
  { scope, filter, sessionIds, named, only }: ReplyQuery,
): Promise<PaidReply[]> {
  const query = new Query().where(only === "unequal" ? UNEQUAL : "replies.owner IS NULL");
  query.where(inScope(query, scope));
  whereLedger(query, filter);
  whereRecord(query, filter, { column: "replies.time_ms", unitMs: 1 });
  if (sessionIds) query.where(`sessions.id = ANY(${query.value(sessionIds)}::text[])`);
  if (only === "odd") query.where("replies.oddities IS NOT NULL");
  if (only === "shared-id") whereShared(query, scope);
  if (named !== undefined) {
    const name = query.value(named);
    query.where(`(starts_with(coalesce(replies.message, replies.reply), ${name})
      OR replies.reply = ${name} OR coalesce(replies.ledger_key,
        sessions.ledger_name || ':' || sessions.id || ':' || replies.reply) = ${name})`);
  }
  const sql = `SELECT sessions.source, sessions.id, sessions.ledger_name, sessions.started_at,
      replies.*, models.recorded AS model, coalesce(replies.file_path, session_files.path) AS file
    FROM replies JOIN sessions ON sessions.session = replies.session
    LEFT JOIN session_files ON session_files.session = replies.session
      AND session_files.position = replies.file
    LEFT JOIN models ON models.id = replies.model
    WHERE ${query.conditions}
    ORDER BY coalesce(sessions.started_ms, ${LAST}), sessions.source, sessions.id,
      replies.position`;
  return (await connection.all<ReplyRow>(sql, query.values)).map(replyOf);
}

function whereShared(query: Query, scope: ReplyQuery["scope"]): void {
  const message = "coalesce(replies.message, replies.reply)";
  query.where(`(sessions.source, ${message}) IN (SELECT sessions.source, ${message}
    FROM replies JOIN sessions ON sessions.session = replies.session
    WHERE replies.owner IS NULL AND ${inScope(query, scope)}
    GROUP BY 1, 2 HAVING count(DISTINCT replies.session) > 1)`);
}

function replyOf(row: ReplyRow): PaidReply {
  const { id, reply, at_ms: atMs } = row;
  return {
    source: row.source,
    startedAt: row.started_at,
    dedupKey: row.ledger_key ?? `${row.ledger_name}:${id}:${reply}`,
    replyId: reply,
    messageId: row.message ?? reply,
    sessionId: id,
    at: row.at_text ?? (atMs === null ? undefined : new Date(atMs).toISOString()),
    model: row.model ?? undefined,
    standing: row.standing,
    reason: row.reason ?? undefined,
    isAtLeast: row.is_at_least ?? undefined,
    purpose: row.purpose ?? undefined,
    tier: row.tier ?? undefined,
    place: { file: row.file, line: row.line, start: row.start_byte, end: row.end_byte },
    ...splitOf(row),
  };
}

/** Uses buckets, unless the period begins or ends within a quarter of an hour. */
export async function replyTimes(
  connection: Connection,
  { scope, filter }: ScopedFilter,
): Promise<ReplyTimes> {
  const { sinceMs, untilMs, ...always } = filter;
  const isCoarse = [sinceMs ?? 0, untilMs ?? 0].every((ms) => ms % QUARTER_MS === 0);
  const [table, column, unitMs] = isCoarse
    ? (["buckets", "counted.quarter", QUARTER_MS] as const)
    : (["replies", "counted.time_ms", 1] as const);
  const body = (more: (query: Query) => void): [sql: string, query: Query] => {
    const query = new Query();
    query.where(inScope(query, scope));
    if (!isCoarse) query.where("counted.owner IS NULL");
    whereLedger(query, always);
    whereRecord(query, always, { column, unitMs });
    more(query);
    const sql = `FROM ${table} AS counted JOIN sessions ON sessions.session = counted.session
      LEFT JOIN models ON models.id = counted.model WHERE ${query.conditions}`;
    return [sql, query];
  };
  const [timed, period] = body((query) => {
    query.where(`${column} IS NOT NULL`);
    whereWithin(query, filter, { column, unitMs });
  });
  const days = await connection.all<{ day: number }>(
    `SELECT DISTINCT floor(${column} / ${DAY_MS / unitMs}.0)::int8 AS day ${timed} ORDER BY day`,
    period.values,
  );
  const [timeless, all] = body((query) => query.where(`${column} IS NULL`));
  const requests = isCoarse ? "coalesce(sum(counted.requests), 0)" : "count(*)";
  const [row] = await connection.all<{ timeless: number }>(
    `SELECT (${requests})::int8 AS timeless ${timeless}`,
    all.values,
  );
  return { days: days.map(({ day }) => day), timeless: row?.timeless ?? 0 };
}
