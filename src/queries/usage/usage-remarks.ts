import type { BlindSpots } from "../../core/files/blind-spots.ts";
import type { StoredCoverage } from "../../core/files/coverage.ts";
import type { SessionUnrecorded } from "../../core/session/session.ts";
import type { ReplyTimes, UsageBuckets, UsageFact } from "../../core/usage/usage-fact.ts";
import type { PricedBucket } from "../prices/cost.ts";
import type { Coverage } from "../coverage.ts";
import { coverageOf } from "../coverage.ts";
import { modelName } from "./groupings.ts";
import type { BucketPlan, LedgerFilter, Subagents } from "./ledger.ts";
import { bucketPlan } from "./ledger.ts";
import { oddDiagnostics, unequalDiagnostic } from "../doctor/odd-counts.ts";
import type { PriceBook } from "../prices/prices.ts";
import { Tally } from "./tally.ts";
import type { UnrecordedRow } from "../doctor/unrecorded.ts";
import { unrecordedText, unrecordedRows } from "../doctor/unrecorded.ts";

/** The files and requests that a report is based on. */
export interface UsageCoverage extends Coverage {
  requests: number;
  /** Records that could not be read fully; their requests may be missing. */
  rejected: number;
  /** Requests whose recorded counts do not add up; diagnostics say how they were interpreted. */
  oddRequests: number;
}

/** Information needed to judge the numbers of a report. */
export interface UsageRemarks {
  coverage: UsageCoverage;
  /** Share of prompt tokens that came from the cache, from 0 to 1; `null` if unknown. */
  cacheShare: number | null;
  /**
   * Paid replies that are no longer part of their conversation: rewound, cancelled, rolled back.
   */
  takenBack: { requests: number; tokens: number; costMicroUsd: number | null };
  subagents: { mode: Subagents; sessions: number; requests: number; tokens: number };
  unpriced: UnpricedModel[];
  /** Calls without a record: usage in the agents' own totals. Not part of any sum. */
  unrecorded: UnrecordedRow[];
  notes: string[];
}

export interface UnpricedModel {
  model: string | null;
  requests: number;
  tokens: number;
  why: string;
}

/** Extra groupings of a report's buckets, from which the remarks are computed. */
export const REMARKED = ["kind", "standing"] as const;

/** Groupings of the session counts that the remarks are computed from. */
export const COUNTED = ["source", "generation", "kind"] as const;

/** An extra query besides the report's groups. */
export function planRemarks(filter: LedgerFilter, prices: PriceBook): BucketPlan {
  return bucketPlan(filter, prices, { by: COUNTED, only: "sessions" });
}

export interface RemarkAnswers {
  /** Session counts by `COUNTED`; further groupings may follow. */
  counted: UsageBuckets["sessions"];
  /** Replies whose recorded counts do not add up. */
  odd: readonly UsageFact[];
  /** Copies of replies whose counts differ from the counted reply. */
  unequal: readonly UsageFact[];
  unrecorded: readonly SessionUnrecorded[];
  coverage: StoredCoverage;
  times: ReplyTimes;
}

export interface RemarkBasis {
  prices: PriceBook;
  /** What sources never record, by source id. */
  blindSpots: ReadonlyMap<string, BlindSpots>;
}

/** The last groups of each bucket must be `REMARKED`. */
export function remarksOf(
  { query }: { query: LedgerFilter & { subagents?: Subagents } },
  answers: RemarkAnswers & { buckets: readonly PricedBucket[] },
  basis: RemarkBasis,
): UsageRemarks {
  const { buckets } = answers;
  const all = sumOf(buckets);
  const { input, cached } = all.tokens;
  const back = sumOf(remarked(buckets, "standing", "rewound"));
  const agents = sumOf(remarked(buckets, "kind", "subagent"));
  const odd = answers.odd.flatMap(oddDiagnostics);
  const unequal = answers.unequal.map(unequalDiagnostic);
  const coverage = coverageOf(answers.coverage, [...odd, ...unequal]);
  const unrecorded = unrecordedRows(answers.unrecorded, query);
  return {
    coverage: {
      ...coverage,
      requests: all.requests,
      rejected: answers.coverage.diagnostics.filter(({ severity }) => severity === "damage").length,
      oddRequests: all.odd,
    },
    cacheShare: input === 0 || cached === null ? null : cached / input,
    takenBack: {
      requests: back.requests,
      tokens: back.tokens.total,
      costMicroUsd: back.sums().costMicroUsd,
    },
    subagents: {
      mode: query.subagents ?? "separate",
      sessions: subagentsIn(answers.counted),
      requests: agents.requests,
      tokens: agents.tokens.total,
    },
    unpriced: unpricedOf(buckets),
    unrecorded,
    notes: [
      ...blindNotes(answers.counted, basis.blindSpots),
      ...silentNotes(answers.coverage, query, basis.blindSpots),
      ...timelessNotes(answers.times, query),
      ...atLeastNotes(all.atLeast),
      ...searchNotes(all.webSearches),
      ...unequalNotes(unequal.length),
      ...unrecordedText(unrecorded),
    ],
  };
}

function sumOf(buckets: readonly PricedBucket[]): Tally {
  const tally = new Tally();
  for (const { bucket, cost } of buckets) tally.add(bucket, cost);
  return tally;
}

function remarked(
  buckets: readonly PricedBucket[],
  by: (typeof REMARKED)[number],
  key: string,
): PricedBucket[] {
  const fromEnd = REMARKED.indexOf(by) - REMARKED.length;
  return buckets.filter(({ bucket }) => bucket.groups.at(fromEnd)?.key === key);
}

function subagentsIn(counted: UsageBuckets["sessions"]): number {
  return sessionsBy(counted, "kind")
    .filter(({ groups: [kind] }) => kind?.key === "subagent")
    .reduce((sum, { count }) => sum + count, 0);
}

/** The total, and the counts of a single grouping; a group may occur more than once. */
export function sessionsBy(
  counted: UsageBuckets["sessions"],
  by: (typeof COUNTED)[number] | "next",
): UsageBuckets["sessions"] {
  const at = by === "next" ? COUNTED.length : COUNTED.indexOf(by);
  return counted
    .filter(({ groups }) => groups.length === 0 || groups.length === at + 1)
    .map(({ groups, count }) => ({ groups: groups.slice(at), count }));
}

function unpricedOf(buckets: readonly PricedBucket[]): UnpricedModel[] {
  const models = new Map<string, UnpricedModel>();
  for (const { bucket, cost } of buckets) {
    if (cost.kind === "priced") continue;
    const model = modelName(bucket.model);
    // A model may lack a price for several reasons, depending on the tier.
    const key = `${model ?? ""}\n${cost.why}`;
    const known = models.get(key) ?? { model, requests: 0, tokens: 0, why: cost.why };
    known.requests += bucket.requests;
    known.tokens += bucket.tokens.total;
    models.set(key, known);
  }
  return [...models.values()].toSorted((a, b) => b.tokens - a.tokens);
}

/** Notes on what these sources never record, or lost in some versions. */
function blindNotes(
  counted: UsageBuckets["sessions"],
  blindSpots: ReadonlyMap<string, BlindSpots>,
): string[] {
  const sessions = counted.filter(({ groups }) => groups.length === 2);
  const found = new Set(sessions.flatMap(({ groups: [source] }) => source?.key ?? []));
  return [...blindSpots].flatMap(([source, spot]) => {
    if (!found.has(source)) return [];
    const losses = spot.losses.flatMap(({ generations, what }) => {
      const written = sessions.filter(({ groups: [by, generation] }) => {
        const theirs = generation?.key.split("\n") ?? [];
        return by?.key === source && theirs.some((name) => generations.includes(name));
      });
      const count = written.reduce((sum, group) => sum + group.count, 0);
      return count === 0 ? [] : [`${countText(count, "session")} ${what}`];
    });
    return [spot.unrecorded, ...losses];
  });
}

/** Notes on sessions without any recorded usage; they are part of reports about everything. */
function silentNotes(
  { files }: StoredCoverage,
  query: LedgerFilter,
  blindSpots: ReadonlyMap<string, BlindSpots>,
): string[] {
  const { source: _agent, ...narrow } = query;
  if (FILTERS.some((name) => narrow[name] !== undefined)) return [];
  return [...blindSpots].flatMap(([source, { losses }]) =>
    losses.flatMap(({ generations, what, isWhole }) => {
      if (isWhole !== true) return [];
      const silent = files.filter((of) => {
        return of.source === source && of.isRead && generations.includes(of.generation);
      });
      const count = silent.reduce((sum, of) => sum + of.files, 0);
      return count === 0 ? [] : [`${countText(count, "session file")} ${what}`];
    }),
  );
}

/** Filters by which a report is about less than everything. */
const FILTERS = ["model", "project", "folder", "session", "status", "sinceMs", "untilMs"] as const;

function timelessNotes({ timeless }: ReplyTimes, { sinceMs, untilMs }: LedgerFilter): string[] {
  if (timeless === 0 || (sinceMs === undefined && untilMs === undefined)) return [];
  return [`${timeless} requests have no time and are not part of any period.`];
}

function atLeastNotes(atLeast: number): string[] {
  if (atLeast === 0) return [];
  const end = "the true sums may be higher.";
  return [`${countText(atLeast, "request")} ended before the final count was written: ${end}`];
}

/** Vendors charge searches besides tokens, so that tokens alone do not explain the cost. */
function searchNotes(webSearches: number | null): string[] {
  if (webSearches === null || webSearches === 0) return [];
  const are = webSearches === 1 ? "1 web search is" : `${webSearches} web searches are`;
  return [`${are} charged per search, besides tokens.`];
}

function unequalNotes(count: number): string[] {
  if (count === 0) return [];
  const copies = count === 1 ? "1 reply is a copy" : `${count} replies are copies`;
  return [`${copies} with other token counts than the original, and not counted: pollux doctor.`];
}

function countText(count: number, what: string): string {
  return count === 1 ? `1 ${what}` : `${count} ${what}s`;
}
