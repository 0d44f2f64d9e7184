import type { Standing, StandingReason } from "../../../core/session/message.ts";
import type { SessionUnrecorded, UnrecordedUsage } from "../../../core/session/session.ts";
import type { SessionFacts } from "../../../core/rows/session-rows.ts";
import type { PaidReply, ReplyPurpose, ReplyTimes } from "../../../core/usage/usage-fact.ts";
import type { SplitColumns } from "../../row-values.ts";
import { splitOf } from "../../row-values.ts";
import type { ReplyQuery, ScopedFilter } from "../../store.ts";
import type { Database } from "../database.ts";
import { canUseDayBuckets } from "../derived/day-buckets.ts";
import { QUARTER_MS } from "../../prompt-classes.ts";
import { NO_TIME } from "../derived/derived-schema.ts";
import type { Conditions } from "./filters.ts";
import { addActive, addModel, ledgerConditions, startsWith } from "./filters.ts";
import { placeholders } from "../sql.ts";
import { DAY_MS } from "../../../core/instant.ts";

interface ReplyRow extends SplitColumns {
  session: number;
  reply: string;
  message: string | null;
  message_length: number | null;
  ledger_key: string | null;
  time_ms: number;
  is_own_time: number;
  at_text: string | null;
  model: string | null;
  model_text: string | null;
  standing: Standing;
  reason: StandingReason | null;
  is_at_least: number | null;
  purpose: ReplyPurpose | null;
  tier: string | null;
  file: number;
  file_path: string | null;
  line: number;
  start_byte: number;
  end_byte: number;
}

const TIME = "r.time_ms";
const LAST = Number.MAX_SAFE_INTEGER;
/** The message id of a reply; not stored if it equals the reply id or is its prefix. */
export const MESSAGE =
  "coalesce(r.message, substr(r.reply, 1, coalesce(r.message_length, length(r.reply))))";

export function findReplies(database: Database, query: ReplyQuery): PaidReply[] {
  const conditions = replyConditions(query);
  addTimes(conditions, query);
  const sql = `SELECT r.* FROM replies AS r JOIN sessions AS s ON s.key = r.session
    ${conditions.where}
    ORDER BY coalesce(s.started_ms, ${LAST}), s.source, s.id, r.position`;
  const owners = new SessionReader(database);
  return database.all<ReplyRow>(sql, ...conditions.values).map((row) => replyOf(row, owners));
}

function replyConditions({ scope, filter, sessionIds, named, only }: ReplyQuery): Conditions {
  const conditions = ledgerConditions(scope, filter);
  conditions.add(only === "unequal" ? UNEQUAL : "r.is_owner = 1");
  addModel(conditions, "r", filter.model);
  if (sessionIds) conditions.add(`s.id IN (${placeholders(sessionIds.length)})`, ...sessionIds);
  if (only === "odd") conditions.add("r.oddities IS NOT NULL");
  if (only === "shared-id") addShared(conditions, scope);
  if (named === undefined) return conditions;
  const length = Array.from(named).length;
  const key = `CASE WHEN r.ledger_key <> '' THEN r.ledger_key ELSE s.ledger_name || ':' || s.id
    || ':' || CASE WHEN r.ledger_key IS NULL THEN r.reply ELSE ${MESSAGE} END END = ?`;
  const message = startsWith(MESSAGE);
  return conditions.add(`(r.reply = ? OR ${message} OR ${key})`, named, length, named, named);
}

/** Copies whose counts differ from those of the owner. */
const UNEQUAL = `r.is_owner = 0 AND NOT EXISTS (SELECT 1 FROM replies AS own
  WHERE own.digest = r.digest AND own.is_owner = 1 AND own.input IS r.input
    AND own.cached IS r.cached AND own.output IS r.output AND own.thoughts IS r.thoughts
    AND own.total IS r.total)`;

/** Preselects the few messages whose hash occurs in several sessions. */
const MAY_BE_SHARED = "r.message_hash IN (SELECT hash FROM shared_messages)";

function addShared(conditions: Conditions, scope: ReplyQuery["scope"]): void {
  const all = ledgerConditions(scope, {}).add("r.is_owner = 1").add(MAY_BE_SHARED);
  conditions.add(MAY_BE_SHARED).add(
    `(s.source, ${MESSAGE}) IN (SELECT s.source, ${MESSAGE}
      FROM replies AS r JOIN sessions AS s ON s.key = r.session ${all.where}
      GROUP BY 1, 2 HAVING count(DISTINCT r.session) > 1)`,
    ...all.values,
  );
}

function addTimes(conditions: Conditions, { filter, only }: ReplyQuery): void {
  const { sinceMs, untilMs } = filter;
  // `+` disables the time index: odd and unequal replies are few and have their own indexes.
  const time = only === "odd" || only === "unequal" ? `+${TIME}` : TIME;
  if (sinceMs !== undefined) conditions.add(`${time} >= ?`, sinceMs);
  if (untilMs !== undefined) conditions.add(`${time} < ? AND ${time} <> ${NO_TIME}`, untilMs);
}

interface Owner {
  source: string;
  id: string;
  startedAt: string | null;
  ledgerName: string;
  paths: string[];
}

/** Reads the session of each reply; replies are ordered by session, so the last one is cached. */
class SessionReader {
  readonly #database: Database;
  #last: { key: number; owner: Owner } | undefined;

  constructor(database: Database) {
    this.#database = database;
  }

  read(key: number): Owner {
    if (this.#last?.key !== key) this.#last = { key, owner: this.#read(key) };
    return this.#last.owner;
  }

  #read(key: number): Owner {
    type Row = { source: string; id: string; started_at: string | null; facts: string };
    const sql = `SELECT source, id, started_at, facts FROM sessions
      JOIN session_details ON session = key WHERE key = ?`;
    const row = this.#database.get<Row>(sql, key);
    if (!row) throw new RangeError("A reply has no session.");
    const { ledgerName, files } = JSON.parse(row.facts) as SessionFacts;
    const paths = files.map(({ path }) => path);
    return { source: row.source, id: row.id, startedAt: row.started_at, ledgerName, paths };
  }
}

function replyOf(row: ReplyRow, owners: SessionReader): PaidReply {
  const owner = owners.read(row.session);
  const messageId = messageOf(row);
  const usualKey = row.ledger_key === null ? row.reply : messageId;
  const at = row.is_own_time === 0 ? undefined : new Date(row.time_ms).toISOString();
  return {
    dedupKey: row.ledger_key || `${owner.ledgerName}:${owner.id}:${usualKey}`,
    replyId: row.reply,
    messageId,
    sessionId: owner.id,
    at: row.at_text ?? at,
    model: row.model_text ?? row.model ?? undefined,
    standing: row.standing,
    reason: row.reason ?? undefined,
    isAtLeast: row.is_at_least === null ? undefined : row.is_at_least === 1,
    purpose: row.purpose ?? undefined,
    tier: row.tier ?? undefined,
    place: {
      file: row.file_path ?? owner.paths[row.file] ?? "",
      line: row.line,
      start: row.start_byte,
      end: row.end_byte,
    },
    ...splitOf(row),
    source: owner.source,
    startedAt: owner.startedAt,
  };
}

function messageOf({ message, message_length: length, reply }: ReplyRow): string {
  if (message !== null) return message;
  return length === null ? reply : Array.from(reply).slice(0, length).join("");
}

/** Quarters of an hour per day; buckets are timed in quarters. */
const QUARTERS = 96;

/**
 * Days that have paid replies. A period that does not begin and end at a quarter of an hour is
 * answered from the reply rows.
 */
export function replyTimes(database: Database, query: ScopedFilter): ReplyTimes {
  const { sinceMs, untilMs, ...always } = query.filter;
  const [since, until] = [(sinceMs ?? -Infinity) / QUARTER_MS, (untilMs ?? Infinity) / QUARTER_MS];
  const isCut = [since, until].some((time) => Number.isFinite(time) && !Number.isInteger(time));
  const conditions = ledgerConditions(query.scope, always);
  const instants = [sinceMs, untilMs].flatMap((time) => time ?? []);
  const [table, sessions] = canUseDayBuckets(database, query, instants)
    ? ["day_buckets", "session_groups"]
    : ["buckets", "sessions"];
  const join = conditions.isEmpty ? "" : `JOIN ${sessions} AS s ON s.key = b.session`;
  addModel(conditions, "b", query.filter.model);
  const from = `FROM ${table} AS b ${join}${conditions.where}`;
  const quarters = `SELECT DISTINCT b.quarter AS quarter ${from}`;
  const all = database.all<{ quarter: number }>(quarters, ...conditions.values);
  const rows = all.filter(({ quarter }) => quarter !== NO_TIME);
  const within = rows.filter(({ quarter }) => quarter >= since && quarter < until);
  const days = isCut
    ? daysWithin(database, query)
    : within.map(({ quarter }) => Math.floor(quarter / QUARTERS));
  const isTimeless = all.length > rows.length;
  const timeless = `SELECT coalesce(sum(b.requests), 0) AS n ${from}
    ${conditions.isEmpty ? "WHERE" : "AND"} b.quarter = ${NO_TIME}`;
  return {
    days: [...new Set(days)].toSorted((a, b) => a - b),
    timeless: isTimeless
      ? (database.get<{ n: number }>(timeless, ...conditions.values)?.n ?? 0)
      : 0,
  };
}

function daysWithin(database: Database, query: ScopedFilter): number[] {
  const conditions = replyConditions(query);
  addTimes(conditions, query);
  const sql = `SELECT DISTINCT (${TIME} - ((${TIME} % ${DAY_MS}) + ${DAY_MS}) % ${DAY_MS})
    / ${DAY_MS} AS day FROM replies AS r JOIN sessions AS s ON s.key = r.session
    ${conditions.where}`;
  return database.all<{ day: number }>(sql, ...conditions.values).map(({ day }) => day);
}

/** Usage that agents counted but did not record as replies. */
export function unrecordedUsage(
  database: Database,
  { scope, filter }: ScopedFilter,
): SessionUnrecorded[] {
  const conditions = ledgerConditions(scope, filter).add("s.unrecorded IS NOT NULL");
  addActive(conditions, filter);
  type Row = { source: string; id: string; unrecorded: string };
  const sql = `SELECT s.source, s.id, s.unrecorded FROM sessions AS s
    ${conditions.where} ORDER BY s.source, s.id`;
  return database.all<Row>(sql, ...conditions.values).map((row) => {
    const usage = JSON.parse(row.unrecorded) as UnrecordedUsage[];
    return { source: row.source, sessionId: row.id, usage };
  });
}
