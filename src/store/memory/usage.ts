import { generationsOf } from "../row-values.ts";
import type { LedgerFilter } from "../../core/filter/filter.ts";
import { DAY_MS, instantOf } from "../../core/instant.ts";
import type { LinkedSession } from "../../core/session/links.ts";
import { keyOf } from "../../core/session/links.ts";
import { isWithin, matchesLedger, matchesModel } from "../../core/filter/matches.ts";
import type { ToolFact } from "../../core/rows/tool-fact.ts";
import { addSplit, EMPTY_SPLIT, promptOf } from "../../core/usage/usage-facts.ts";
import type {
  Group,
  ReplyTimes,
  UsageBucket,
  UsageBuckets,
  UsageFact,
} from "../../core/usage/usage-fact.ts";
import { modelName, NO_SERVER, NO_TOOL, UNKNOWN_GROUP } from "../../core/usage/usage-fact.ts";
import { withOneLabel } from "../usage-rows.ts";
import { rangeFinder } from "../range-finder.ts";
import type { BucketKey, BucketQuery } from "../store.ts";

interface Paid {
  fact: UsageFact;
  session: LinkedSession;
  /** The reply's time, else the start of its session. */
  atMs: number | undefined;
  /** Index of the range in which it is counted. */
  range: number | undefined;
}

/** Sums every reply, one by one. */
export function sumUsage(sessions: readonly LinkedSession[], query: BucketQuery): UsageBuckets {
  const buckets = new Map<string, UsageBucket>();
  const counted = new Map<string, { groups: readonly Group[]; sessions: Set<string> }>();
  let last: LinkedSession | undefined;
  let id = "";
  for (const paid of paidReplies(sessions, query)) {
    const { summary, top } = paid.session;
    const shown = query.subagents === "separate" ? summary : top;
    // Replies are grouped by session, so the key is made once for each.
    if (paid.session !== last) id = keyOf(summary.source, shown.id);
    last = paid.session;
    const groups = query.by.map((key) => groupOf(key, paid, shown));
    add(bucketOf(buckets, groups, { paid, query }), paid.fact);
    for (let depth = 0; depth <= groups.length; depth += 1) {
      const outer = groups.slice(0, depth);
      const key = `${depth}\0${outer.map((group) => group.key).join("\0")}`;
      const known = counted.get(key) ?? { groups: outer, sessions: new Set() };
      known.sessions.add(id);
      counted.set(key, known);
    }
  }
  const sessionCounts = [...counted.values()].map(({ groups, sessions: ids }) => {
    return { groups, count: ids.size };
  });
  return withOneLabel({
    buckets: query.only === "sessions" ? [] : [...buckets.values()],
    sessions: query.only === "buckets" ? [] : sessionCounts,
  });
}

export function timesOf(sessions: readonly LinkedSession[], filter: LedgerFilter): ReplyTimes {
  const { sinceMs: _since, untilMs: _until, ...always } = filter;
  const all = [...paidReplies(sessions, { filter: always })];
  const times = all.flatMap(({ atMs }) => (isWithin(atMs, filter) ? (atMs ?? []) : []));
  const days = new Set(times.map((ms) => Math.floor(ms / DAY_MS)));
  return {
    days: [...days].toSorted((a, b) => a - b),
    timeless: all.filter(({ atMs }) => atMs === undefined).length,
  };
}

export function* paidReplies(
  sessions: readonly LinkedSession[],
  { filter, ranges }: Pick<BucketQuery, "filter" | "ranges">,
): Generator<Paid> {
  const rangesAt = ranges && rangeFinder(ranges);
  for (const session of sessions) {
    if (!matchesLedger(session.summary, filter)) continue;
    for (const fact of session.usage) {
      const atMs = timeOf(fact.at, session);
      if (!matchesModel(modelName(fact.model), filter.model) || !isWithin(atMs, filter)) continue;
      if (!rangesAt) yield { fact, session, atMs, range: undefined };
      else for (const range of rangesAt(atMs)) yield { fact, session, atMs, range };
    }
  }
}

/** The recorded time, else the start of the session. */
export function timeOf(at: string | undefined, { summary }: LinkedSession): number | undefined {
  const own = instantOf(at ?? "");
  const ms = Number.isNaN(own) ? instantOf(summary.startedAt ?? "") : own;
  return Number.isNaN(ms) ? undefined : ms;
}

function bucketOf(
  buckets: Map<string, UsageBucket>,
  groups: readonly Group[],
  { paid, query }: { paid: Paid; query: BucketQuery },
): UsageBucket {
  const { fact, atMs } = paid;
  const model = modelName(fact.model) ?? null;
  const prompt = promptOf(fact);
  const promptClass = countOf(query.thresholds, (size) => prompt > size);
  const pricePeriod = atMs === undefined ? null : countOf(query.priceDates, (date) => atMs >= date);
  const tier = fact.tier ?? null;
  const key = [...groups.map((group) => group.key), model, promptClass, pricePeriod, tier].join(
    "\0",
  );
  const known = buckets.get(key);
  if (known) {
    known.groups = known.groups.map((group, at) => smallerLabel(group, groups[at]));
    return known;
  }
  const tokens = { ...EMPTY_SPLIT };
  const made = {
    groups,
    model,
    promptClass,
    pricePeriod,
    tier,
    requests: 0,
    atLeast: 0,
    odd: 0,
    tokens,
  };
  buckets.set(key, made);
  return made;
}

function countOf(numbers: readonly number[], isCounted: (number: number) => boolean): number {
  let count = 0;
  for (const number of numbers) if (isCounted(number)) count += 1;
  return count;
}

function smallerLabel(known: Group, other: Group | undefined): Group {
  const [mine = "", theirs = mine] = [known.label, other?.label];
  return theirs < mine && other ? other : known;
}

function add(bucket: UsageBucket, fact: UsageFact): void {
  bucket.requests += 1;
  if (fact.isAtLeast === true) bucket.atLeast += 1;
  if (fact.oddities !== undefined) bucket.odd += 1;
  addSplit(bucket.tokens, fact);
}

function groupOf(
  key: BucketKey,
  { fact, session, range }: Paid,
  shown: LinkedSession["top"],
): Group {
  const { summary } = session;
  switch (key) {
    case "range":
      return { key: String(range ?? "") };
    case "model":
      return { key: modelName(fact.model) ?? UNKNOWN_GROUP };
    case "project": {
      const { name, path, hash } = summary.project;
      return { key: path ?? hash ?? name, label: name };
    }
    case "session": {
      const named = { key: `${summary.source}:${shown.id}` };
      return shown.title === null ? named : { ...named, label: shown.title };
    }
    case "source":
    case "kind":
    case "status":
      return { key: summary[key] };
    case "root":
      return { key: rootOf(session, fact.place.file) };
    case "tool":
      return { key: calledBy(session, fact, ({ name }) => name) ?? NO_TOOL };
    case "mcp":
      return { key: calledBy(session, fact, ({ mcp }) => mcp?.server) ?? NO_SERVER };
    case "standing":
      return { key: fact.standing };
    case "purpose":
      return { key: fact.purpose ?? "" };
    case "generation":
      return { key: generationsOf(session) };
    default:
      return key satisfies never;
  }
}

/**
 * The group of a reply is the set of tools that it called. A reply with several tools is listed
 * under all their names together; under each name, its tokens would count more than once.
 */
function calledBy(
  { calls }: LinkedSession,
  { messageId }: UsageFact,
  nameOf: (call: ToolFact) => string | undefined,
): string | undefined {
  const names = new Set((calls.get(messageId) ?? []).flatMap((call) => nameOf(call) ?? []));
  return names.size === 0 ? undefined : [...names].toSorted().join(" + ");
}

function rootOf({ session }: Pick<LinkedSession, "session">, path: string): string {
  const file = session.files.find((ref) => ref.path === path) ?? session.files[0];
  return file?.root ?? UNKNOWN_GROUP;
}
