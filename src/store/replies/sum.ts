import type { LedgerFilter } from "../../core/filter/filter.ts";
import { instantOf } from "../../core/instant.ts";
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
const SESSION = columnAt("session");
const AT = columnAt("atMs");
const MODEL = columnAt("model");
const AT_LEAST = columnAt("isAtLeast");
const ODD = columnAt("isOdd");

export function timesOf(parts: readonly OwnedReplies[], filter: LedgerFilter): ReplyTimes {
  const days = new Set<number>();
  let timeless = 0;
  for (const part of parts) {
    visitReplies(part, filter, (_, atMs) => {
      if (atMs === undefined) timeless += 1;
      else if (isWithin(atMs, filter)) days.add(Math.floor(atMs / DAY_MS));
    });
  }
  return { days: [...days].toSorted((a, b) => a - b), timeless };
}

/** Visits replies without checking their time. A reply's numbers begin at `at`. */
function visitReplies(
  { sessions, table, copies }: OwnedReplies,
  filter: LedgerFilter,
  visit: (at: number, atMs: number | undefined) => void,
): void {
  const { numbers } = table;
  const isMeant = sessions.map(({ summary }) => matchesLedger(summary, filter));
  const isModel = [...table.names.keys()].map((name) => matchesModel(name, filter.model));
  const starts = sessions.map(({ summary }) => instantOf(summary.startedAt ?? ""));
  for (let row = 0; row < table.rows; row += 1) {
    const at = row * WIDTH;
    const session = numbers[at + SESSION] ?? 0;
    if (copies[row] === 1 || !isMeant[session] || !isModel[numbers[at + MODEL] ?? 0]) continue;
    const own = numbers[at + AT] ?? Number.NaN;
    // A reply without a time gets the start of its session.
    const ms = Number.isNaN(own) ? (starts[session] ?? Number.NaN) : own;
    visit(at, Number.isNaN(ms) ? undefined : ms);
  }
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

export function sumReplies(parts: readonly OwnedReplies[], query: BucketQuery): UsageBuckets {
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
  part: OwnedReplies,
  { query, levels, classes }: PartQuery,
): void {
  const { numbers } = part.table;
  const { filter, ranges, only } = query;
  const rangesAt = ranges ? rangeFinder(ranges) : () => [0];
  const classAt = classes.finder(part.table);
  const ids = part.sessions.map(({ summary }) => keyOf(summary.source, summary.id));
  // Reused for all replies, to avoid allocations.
  const row = { numbers, at: 0, range: 0 };
  visitReplies(part, filter, (at, atMs) => {
    if (!isWithin(atMs, filter)) return;
    row.at = at;
    for (const range of rangesAt(atMs)) {
      row.range = range;
      const path = pathAt(levels, row);
      let sum = sums.get(path);
      if (!sum) {
        const groups = groupsAt(levels, row);
        sums.set(path, (sum = { groups, classes: new Map(), sessions: new Set() }));
      }
      if (only !== "buckets") sum.sessions.add(ids[numbers[at + SESSION] ?? 0] ?? "");
      if (only !== "sessions") addReply(sum, classAt(at, atMs), row);
    }
  });
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
