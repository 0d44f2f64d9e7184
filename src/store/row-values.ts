import { optional } from "../core/optional.ts";
import { NO_TOKENS } from "../core/rows/summary.ts";
import type { Annotation, AnnotationKind } from "../core/session/annotation.ts";
import { compareAnnotations } from "../core/session/annotation.ts";
import type { SessionRow } from "../core/rows/session-rows.ts";
import type { ToolFact } from "../core/rows/tool-fact.ts";
import type { BucketTokens, SplitUsage, UsageFact, UsageOddity } from "../core/usage/usage-fact.ts";

/** Epoch milliseconds; `null` if it is not a valid time. */
export function msOf(time: string | null | undefined): number | null {
  const ms = time === null || time === undefined ? Number.NaN : Date.parse(time);
  return Number.isNaN(ms) ? null : ms;
}

/** The recorded text of a time if it differs from `toISOString()`, else `null`. */
export function unusualTime(at: string | undefined, ms: number | null): string | null {
  const isUsual = ms !== null && new Date(ms).toISOString() === at;
  return isUsual ? null : (at ?? null);
}

/** Counts of a reply, in column order. */
export function tokensOf(fact: UsageFact): (number | null)[] {
  return [
    fact.input,
    fact.fresh,
    fact.cached,
    fact.cacheWrite5m,
    fact.cacheWrite1h,
    fact.output,
    fact.thoughts,
    fact.tool,
    fact.total,
    fact.webSearches,
    fact.remainder,
  ];
}

/** The columns of `tokensOf`, and of the oddities found in a reply's counts. */
export interface SplitColumns {
  input: number;
  fresh: number;
  cached: number | null;
  cache_write_5m: number | null;
  cache_write_1h: number | null;
  output: number;
  thoughts: number | null;
  tool: number | null;
  total: number;
  web_searches: number | null;
  remainder: number;
  oddities: string | null;
}

export function splitOf(row: SplitColumns): SplitUsage {
  return {
    ...countsOf(row),
    remainder: row.remainder,
    oddities: row.oddities === null ? undefined : (JSON.parse(row.oddities) as UsageOddity[]),
  };
}

/** The columns that are summed. */
export type CountColumns = Omit<SplitColumns, "remainder" | "oddities">;

export function countsOf(row: CountColumns): BucketTokens {
  return {
    input: row.input,
    fresh: row.fresh,
    cached: row.cached,
    cacheWrite5m: row.cache_write_5m,
    cacheWrite1h: row.cache_write_1h,
    output: row.output,
    thoughts: row.thoughts,
    tool: row.tool,
    total: row.total,
    webSearches: row.web_searches,
  };
}

/** The columns of sums; the same in every table that has them. */
export const TOKEN_COLUMNS: Readonly<Record<keyof BucketTokens, keyof CountColumns>> = {
  input: "input",
  fresh: "fresh",
  cached: "cached",
  cacheWrite5m: "cache_write_5m",
  cacheWrite1h: "cache_write_1h",
  output: "output",
  thoughts: "thoughts",
  tool: "tool",
  total: "total",
  webSearches: "web_searches",
};

/** All names that a reply's message called, as one key, so that its tokens count once. */
export function namesCalled(
  calls: readonly ToolFact[],
  nameOf: (call: ToolFact) => string | undefined,
): string | null {
  const names = new Set(calls.flatMap((call) => nameOf(call) ?? []));
  return names.size === 0 ? null : [...names].toSorted().join(" + ");
}

/** The generations of a session's files, as one group. */
export function generationsOf({ session }: Pick<SessionRow, "session">): string {
  return [...new Set(session.files.map(({ generation }) => generation))].toSorted().join("\n");
}

/** Sort key of a text: lower case, and without NUL, which databases cannot store. */
export function sortable(text: string): string {
  return text.toLowerCase().replaceAll("\0", " ");
}

/** A set annotation, with the same columns in every engine. */
export interface AnnotationRow {
  source: string;
  session: string;
  message: string;
  kind: AnnotationKind;
  text: string;
  changed_ms: number;
}

export function annotationsFrom(rows: readonly AnnotationRow[]): Annotation[] {
  return rows
    .map(({ source, session, message, kind, text, changed_ms: changedMs }): Annotation => {
      const on = { source, sessionId: session, ...optional("messageId", message || undefined) };
      return { ...on, kind, text, changedMs };
    })
    .toSorted(compareAnnotations);
}

/** The sums of the replies that a session owns. */
export interface OwnSums {
  replies: number;
  is_at_least: boolean | number | null;
  input: number | null;
  cached: number | null;
  cache_write: number | null;
  output: number | null;
  thoughts: number | null;
  tool: number | null;
  total: number | null;
  web_searches: number | null;
}

/** The own usage of a session that has copies of other sessions' replies, as it is stored. */
export function ownUsageOf(row: OwnSums): { json: string; total: number | null } {
  const { input, cached, cache_write: cacheWrite, output, thoughts, tool, total } = row;
  const sums = { input, cached, output, thoughts, tool, total, cacheWrite };
  const tokens = row.replies === 0 ? NO_TOKENS : sums;
  const isAtLeast = row.is_at_least === true || row.is_at_least === 1;
  const json = JSON.stringify({ tokens, isAtLeast, webSearches: row.web_searches });
  return { json, total: tokens.total };
}
