import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { LedgerFilter } from "../../src/core/filter/filter.ts";
import type { SessionRows } from "../../src/core/rows/session-rows.ts";
import type { UsageBuckets } from "../../src/core/usage/usage-fact.ts";
import { memoryStore } from "../../src/store/memory/store.ts";
import { markCopies } from "../../src/store/replies/copies.ts";
import { sumReplies, timesOf } from "../../src/store/replies/sum.ts";
import type { OwnedReplies } from "../../src/store/replies/sum.ts";
import { addReplies, emptyTable, oddReplies } from "../../src/store/replies/table.ts";
import type { BucketKey } from "../../src/store/store.ts";
import { Dice, randomRows } from "../contracts/random-home.ts";
import { randomQuestions } from "../contracts/store-answers.ts";

const UNTOLD: readonly BucketKey[] = ["project", "status", "tool", "mcp", "purpose"];

function repliesOf(all: readonly SessionRows[]): OwnedReplies[] {
  const sources = [...new Set(all.map(({ summary }) => summary.source))];
  return sources.map((source) => {
    const sessions = all.filter(({ summary }) => summary.source === source);
    const table = emptyTable();
    for (const [number, rows] of sessions.entries()) addReplies(table, rows, number);
    return { sessions, table, copies: markCopies({ sessions, table }) };
  });
}

/** In a fixed order, without titles. */
function plain({ buckets, sessions }: UsageBuckets): unknown {
  const inOrder = (list: readonly unknown[]): string[] => {
    return list.map((value) => JSON.stringify(value)).toSorted();
  };
  return {
    buckets: inOrder(
      buckets.map(({ groups, model, promptClass, pricePeriod, tier, tokens, ...counts }) => {
        const { requests, atLeast, odd } = counts;
        const keys = groups.map(({ key }) => key);
        return { keys, model, promptClass, pricePeriod, tier, requests, atLeast, odd, tokens };
      }),
    ),
    sessions: inOrder(
      sessions.map(({ groups, count }) => ({ keys: groups.map(({ key }) => key), count })),
    ),
  };
}

describe("a table of replies", () => {
  test("has the sums of the plain store", async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(), async (seed) => {
        const dice = new Dice(seed);
        const rows = randomRows(dice);
        const store = memoryStore();
        const batch = { nowMs: 1, files: [], readings: [], sessions: rows, dropped: [] };
        await store.commit(batch);
        const parts = repliesOf(rows);
        for (let round = 0; round < 5; round += 1) {
          const { usage } = randomQuestions(dice);
          const { source, model, sinceMs, untilMs } = usage.filter;
          const filter = { source, model, sinceMs, untilMs } as LedgerFilter;
          const by = usage.by.filter((key) => !UNTOLD.includes(key));
          const query = { ...usage, filter, by, scope: "own", subagents: "separate" } as const;
          const why = JSON.stringify(query);
          expect(plain(sumReplies(parts, query)), why).toEqual(plain(await store.usage(query)));
          expect(timesOf(parts, filter)).toEqual(await store.times({ scope: "own", filter }));
        }
        const odd = await store.replies({ scope: "own", filter: {}, only: "odd" });
        const found = parts.flatMap((part) => {
          return [...oddReplies(part.table, part.copies).values()].flat();
        });
        expect(found.map(({ dedupKey }) => dedupKey).toSorted()).toEqual(
          odd.map(({ dedupKey }) => dedupKey).toSorted(),
        );
      }),
      { numRuns: Number(process.env["RUNS"] ?? 200) },
    );
  });

  test("refuses groupings it has no data for", () => {
    const query = { scope: "own", filter: {}, priceDates: [], thresholds: [] } as const;
    for (const key of UNTOLD) {
      const asked = { ...query, by: [key], subagents: "separate" } as const;
      const part = { sessions: [], table: emptyTable(), copies: new Uint8Array() };
      expect(() => sumReplies([part], asked)).toThrow(key);
    }
  });
});
