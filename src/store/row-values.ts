import type { ToolFact } from "../core/tool-fact.ts";
import type { UsageFact } from "../core/usage-fact.ts";

/** Epoch milliseconds; nothing for what is no time. */
export function msOf(time: string | null | undefined): number | null {
  const ms = time === null || time === undefined ? Number.NaN : Date.parse(time);
  return Number.isNaN(ms) ? null : ms;
}

/** A time as it is written when that is not the usual way. */
export function unusualTime(at: string | undefined, ms: number | null): string | null {
  const isUsual = ms !== null && new Date(ms).toISOString() === at;
  return isUsual ? null : (at ?? null);
}

/** The counts of a reply, in the order of their columns. */
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

/** What the message of a reply called, all names together: its tokens count once. */
export function namesCalled(
  calls: readonly ToolFact[],
  nameOf: (call: ToolFact) => string | undefined,
): string | null {
  const names = new Set(calls.flatMap((call) => nameOf(call) ?? []));
  return names.size === 0 ? null : [...names].toSorted().join(" + ");
}
