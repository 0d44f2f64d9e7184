import type { TokenField } from "../../core/usage/counts.ts";
import type { LedgerFilter } from "../../core/filter/filter.ts";
import { groupBy } from "../../core/group.ts";
import type { SessionUnrecorded, UnrecordedUsage } from "../../core/session/session.ts";
import { addNullable, splitCounts, sumFacts, sumSearches } from "../../core/usage/usage-facts.ts";

/**
 * Calls without a record: usage in an agent's own totals that its recorded replies do not explain.
 * It is reported beside the sums, never added to them.
 */
export interface UnrecordedRow {
  source: string;
  model: string;
  /** The record that holds the totals: `cost-state`, `usage_record.jsonl`, `costUSD`. */
  from: string;
  sessions: number;
  requests: number | null;
  tokens: Record<TokenField, number | null>;
  webSearches: number | null;
  /** Cost as recorded by the agent, in micro-dollars. */
  costMicroUsd: number | null;
}

type SessionPart = Pick<SessionUnrecorded, "source" | "sessionId"> & { usage: UnrecordedUsage };

export function unrecordedRows(
  sessions: readonly SessionUnrecorded[],
  { model }: Pick<LedgerFilter, "model"> = {},
): UnrecordedRow[] {
  const all = sessions.flatMap(({ source, sessionId, usage }) =>
    usage.map((part): SessionPart => ({ source, sessionId, usage: part })),
  );
  const meant = all.filter(({ usage }) => {
    return model === undefined || usage.model.toLowerCase().includes(model.toLowerCase());
  });
  const groups = groupBy(meant, ({ source, usage }) =>
    JSON.stringify([source, usage.model, usage.from]),
  );
  return [...groups.values()].flatMap(rowOf);
}

function rowOf(details: readonly SessionPart[]): UnrecordedRow[] {
  const [first] = details;
  if (!first) return [];
  const sum = (of: (usage: UnrecordedUsage) => number | null): number | null =>
    details.reduce<number | null>((all, { usage }) => addNullable(all, of(usage)), null);
  const costUsd = sum((usage) => usage.costUsd);
  const splits = details.map(({ usage }) => splitCounts(usage.counts));
  return [
    {
      source: first.source,
      model: first.usage.model,
      from: first.usage.from,
      sessions: new Set(details.map(({ sessionId }) => sessionId)).size,
      requests: sum((usage) => usage.requests),
      tokens: sumFacts(splits),
      webSearches: sumSearches(splits),
      costMicroUsd: costUsd === null ? null : Math.round(costUsd * 1e6),
    },
  ];
}

/** A sentence for people. */
export function unrecordedText(rows: readonly UnrecordedRow[]): string[] {
  if (rows.length === 0) return [];
  const sum = (of: (row: UnrecordedRow) => number | null): number =>
    rows.reduce((all, row) => all + (of(row) ?? 0), 0);
  const requests = sum((row) => row.requests);
  const tokens = `${sum((row) => row.tokens.total).toLocaleString("en-US")} tokens`;
  // Some agents count tokens only; a sum of calls would then be too low.
  const isCounted = rows.every((row) => row.requests !== null);
  const what = isCounted
    ? `${requests} ${requests === 1 ? "call" : "calls"} with ${tokens}`
    : tokens;
  return [`Unrecorded calls: ${what} are in the agents' own totals, but not in the sums here.`];
}
