import type { LedgerFilter } from "../../core/filter/filter.ts";
import type { PaidReply } from "../../core/usage/usage-fact.ts";
import type { Reads, ReplyQuery } from "../store.ts";
import type { OwnedReplies, SelectedReplies } from "./sum.ts";
import { selectReplies, sumReplies, timesOf } from "./sum.ts";

/** The queries of a usage report. */
export interface UsageReads extends Pick<Reads, "usage" | "times" | "unrecorded" | "coverage"> {
  replies(query: ReplyQuery & { only: "odd" | "unequal" }): Promise<PaidReply[]>;
}

/** Answers these queries, with sums computed from reply tables. */
export function withTables(store: UsageReads, parts: readonly OwnedReplies[]): UsageReads {
  const known = new Map<LedgerFilter, SelectedReplies[]>();
  const select = (filter: LedgerFilter): SelectedReplies[] => {
    const selected = known.get(filter) ?? parts.map((part) => selectReplies(part, filter));
    known.set(filter, selected);
    return selected;
  };
  const hasOdd = parts.some(({ table }) => table.odd.size > 0);
  const hasUnrecorded = parts.some(({ sessions }) => {
    return sessions.some(({ session }) => session.unrecorded !== undefined);
  });
  return {
    usage: async (query) => sumReplies(select(query.filter), query),
    times: async ({ filter }) => timesOf(select(filter)),
    // Tables with unequal copies are declined.
    replies: async (query) => (hasOdd ? store.replies(query) : []),
    unrecorded: async (query) => (hasUnrecorded ? store.unrecorded(query) : []),
    coverage: (query) => store.coverage(query),
  };
}
