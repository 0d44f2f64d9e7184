import type { PaidReply } from "../../core/usage/usage-fact.ts";
import type { Reads, ReplyQuery } from "../store.ts";
import type { OwnedReplies } from "./sum.ts";
import { sumReplies, timesOf } from "./sum.ts";

/** The queries of a usage report. */
export interface UsageReads extends Pick<Reads, "usage" | "times" | "unrecorded" | "coverage"> {
  replies(query: ReplyQuery & { only: "odd" | "unequal" }): Promise<PaidReply[]>;
}

/** Answers these queries, with sums computed from reply tables. */
export function withTables(store: UsageReads, parts: readonly OwnedReplies[]): UsageReads {
  return {
    usage: async (query) => sumReplies(parts, query),
    times: async ({ filter }) => timesOf(parts, filter),
    replies: (query) => store.replies(query),
    unrecorded: (query) => store.unrecorded(query),
    coverage: (query) => store.coverage(query),
  };
}
