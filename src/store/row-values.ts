import type { ToolFact } from "../core/rows/tool-fact.ts";
import type { UsageFact } from "../core/usage/usage-fact.ts";

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

/** Token counts of a reply, in column order. */
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
    fact.remainder,
  ];
}

/** All names that a reply's message called, as one key, so that its tokens count once. */
export function namesCalled(
  calls: readonly ToolFact[],
  nameOf: (call: ToolFact) => string | undefined,
): string | null {
  const names = new Set(calls.flatMap((call) => nameOf(call) ?? []));
  return names.size === 0 ? null : [...names].toSorted().join(" + ");
}
