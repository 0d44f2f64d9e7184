import type { LedgerFilter } from "../../core/filter/filter.ts";
import { instantOf } from "../../core/instant.ts";
import type { SessionRow } from "../../core/rows/session-rows.ts";
import { keyOf } from "../../core/session/links.ts";
import { isWithin, matchesLedger, matchesModel } from "../../core/filter/matches.ts";
import type { Group, ReplyTimes, UsageBucket, UsageBuckets } from "../../core/usage/usage-fact.ts";
import { rangeFinder } from "../range-finder.ts";
import type { BucketQuery } from "../store.ts";
import type { CopyMarks, SessionReplies } from "./copies.ts";
import type { Level } from "./levels.ts";
import { groupsAt, levelsOf, pathAt } from "./levels.ts";
import { PriceClasses } from "./price-classes.ts";
import { addTokens, columnAt, noTokens, tokensOf, WIDTH } from "./table.ts";

/** Replies of a source, with copies marked. */
export interface OwnedReplies extends SessionReplies {
  copies: CopyMarks;
}

const DAY_MS = 86_400_000;
const ANY_RANGE = [0];
const SESSION = columnAt("session");
const AT = columnAt("atMs");
const MODEL = columnAt("model");
const AT_LEAST = columnAt("isAtLeast");
const ODD = columnAt("isOdd");

/** The replies that a filter selects, found once for all queries of a report. */
export interface SelectedReplies extends OwnedReplies {
  /** Where the numbers of each reply begin. */
  starts: readonly number[];
  /** The time of each reply, or else the start of its session; NaN if both are unknown. */
  timesMs: readonly number[];
}

/** Selects replies, without copies. Their time is checked only if it is known. */
export function selectReplies(part: OwnedReplies, filter: LedgerFilter): SelectedReplies {
  const { sessions, table, copies } = part;
  const { numbers } = table;
  const isMeant = sessions.map(({ summary }) => matchesLedger(summary, filter));
  const isModel = [...table.names.keys()].map((name) => matchesModel(name, filter.model));
  const starts: number[] = [];
  const timesMs: number[] = [];
  for (let row = 0; row < table.rows; row += 1) {
    const at = row * WIDTH;
    const session = numbers[at + SESSION] ?? 0;
    if (copies[row] === 1 || !isMeant[session] || !isModel[numbers[at + MODEL] ?? 0]) continue;
    let ms = numbers[at + AT] ?? Number.NaN;
    if (Number.isNaN(ms)) ms = instantOf(sessions[session]?.summary.startedAt ?? "");
    if (!Number.isNaN(ms) && !isWithin(ms, filter)) continue;
    starts.push(at);
    timesMs.push(ms);
  }
  return { ...part, starts, timesMs };
}

export function timesOf(parts: readonly SelectedReplies[]): ReplyTimes {
  const days = new Set<number>();
  let timeless = 0;
  let last = Number.NaN;
  for (const { timesMs } of parts) {
    for (const atMs of timesMs) {
      const day = Math.floor(atMs / DAY_MS);
      if (Number.isNaN(day)) timeless += 1;
      // Most replies are of the same day as the one before.
      else if (day !== last) days.add((last = day));
    }
  }
  return { days: [...days].toSorted((a, b) => a - b), timeless };
}

/** Sums of one group's replies by price class. */
interface GroupSum {
  groups: readonly Group[];
  classes: Map<number, BucketSum>;
  sessions: Set<string>;
}

interface BucketSum {
  requests: number;
  atLeast: number;
  odd: number;
  tokens: Float64Array;
}

export function sumReplies(parts: readonly SelectedReplies[], query: BucketQuery): UsageBuckets {
  const sums = new Map<number, GroupSum>();
  const classes = new PriceClasses(query);
  for (const [number, levels] of levelsOf(parts, query).entries()) {
    const part = parts[number];
    if (part) addPart(sums, part, { query, levels, classes });
  }
  return {
    buckets: query.only === "sessions" ? [] : bucketsOf([...sums.values()], classes),
    sessions: query.only === "buckets" ? [] : sessionsOf(sums, query),
  };
}

interface PartQuery {
  query: BucketQuery;
  levels: readonly Level[];
  classes: PriceClasses;
}

function addPart(
  sums: Map<number, GroupSum>,
  part: SelectedReplies,
  { query, levels, classes }: PartQuery,
): void {
  const { starts, timesMs, sessions } = part;
  const { numbers } = part.table;
  const { filter, ranges, only } = query;
  const rangesAt = ranges ? rangeFinder(ranges) : () => ANY_RANGE;
  const classAt = classes.finder(part.table);
  const isTimelessIn = isWithin(undefined, filter);
  // Reused for all replies, to avoid allocations.
  const row = { numbers, at: 0, range: 0 };
  let lastSession: SessionRow | undefined;
  let lastSum: GroupSum | undefined;
  for (let index = 0; index < starts.length; index += 1) {
    const own = timesMs[index] ?? Number.NaN;
    const atMs = Number.isNaN(own) ? undefined : own;
    if (atMs === undefined && !isTimelessIn) continue;
    row.at = starts[index] ?? 0;
    for (const range of rangesAt(atMs)) {
      row.range = range;
      const path = pathAt(levels, row);
      let sum = sums.get(path);
      if (!sum) {
        const groups = groupsAt(levels, row);
        sums.set(path, (sum = { groups, classes: new Map(), sessions: new Set() }));
      }
      if (only !== "sessions") addReply(sum, classAt(row.at, atMs), row);
      if (only === "buckets") continue;
      const session = sessions[numbers[row.at + SESSION] ?? 0];
      // Most replies belong to the same session and group as the one before.
      if (!session || (session === lastSession && sum === lastSum)) continue;
      sum.sessions.add(keyOf(session.summary.source, session.summary.id));
      [lastSession, lastSum] = [session, sum];
    }
  }
}

function addReply(
  { classes }: GroupSum,
  priceClass: number,
  { numbers, at }: { numbers: Float64Array; at: number },
): void {
  let bucket = classes.get(priceClass);
  if (!bucket) {
    classes.set(priceClass, (bucket = { requests: 0, atLeast: 0, odd: 0, tokens: noTokens() }));
  }
  bucket.requests += 1;
  bucket.atLeast += numbers[at + AT_LEAST] ?? 0;
  bucket.odd += numbers[at + ODD] ?? 0;
  addTokens(bucket.tokens, numbers, at);
}

function bucketsOf(sums: readonly GroupSum[], prices: PriceClasses): UsageBucket[] {
  return sums.flatMap(({ groups, classes }) =>
    [...classes].map(([number, { tokens, ...counts }]) => {
      return { groups, ...prices.meaningOf(number), ...counts, tokens: tokensOf(tokens) };
    }),
  );
}

/** Counts distinct sessions: in all, per first group, and per first and second group. */
function sessionsOf(
  sums: ReadonlyMap<number, GroupSum>,
  { by }: BucketQuery,
): UsageBuckets["sessions"] {
  const outer = new Map<string, { groups: readonly Group[]; sessions: Set<string> }>();
  for (const { groups, sessions } of sums.values()) {
    for (let depth = 0; depth <= by.length; depth += 1) {
      const within = groups.slice(0, depth);
      const key = JSON.stringify(within);
      const known = outer.get(key) ?? { groups: within, sessions: new Set() };
      for (const session of sessions) known.sessions.add(session);
      outer.set(key, known);
    }
  }
  return [...outer.values()].map(({ groups, sessions }) => ({ groups, count: sessions.size }));
}
