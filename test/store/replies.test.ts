import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { LedgerFilter } from "../../src/core/filter/filter.ts";
import { optional } from "../../src/core/optional.ts";
import type { SessionRows } from "../../src/core/rows/session-rows.ts";
import type { Reply } from "../../src/core/session/session.ts";
import type { UsageBuckets } from "../../src/core/usage/usage-fact.ts";
import { factsOf } from "../../src/core/usage/usage-facts.ts";
import { memoryStore } from "../../src/store/memory/store.ts";
import { markCopies } from "../../src/store/replies/copies.ts";
import { selectReplies, sumReplies, timesOf } from "../../src/store/replies/sum.ts";
import type { OwnedReplies } from "../../src/store/replies/sum.ts";
import { addReplies, emptyTable, oddReplies } from "../../src/store/replies/table.ts";
import type { BucketKey } from "../../src/store/store.ts";
import { Dice, randomRows } from "../contracts/random-home.ts";
import { randomQuestions } from "../contracts/store-answers.ts";

const UNTOLD: readonly BucketKey[] = ["project", "status", "tool", "mcp", "purpose"];

interface Recorded {
  rows: SessionRows;
  replies: Reply[];
}

/** The session as if its facts had been recorded as replies. */
function recorded(rows: SessionRows): Recorded {
  const replies = rows.usage.map((fact): Reply => {
    const { replyId: id, messageId, at, model, standing, reason, place } = fact;
    const { isAtLeast, purpose, tier, input, output, total } = fact;
    const parts = ["cached", "cacheWrite5m", "cacheWrite1h", "thoughts", "tool", "webSearches"];
    const known = Object.entries(fact).filter(([part, count]) => {
      return parts.includes(part) && count !== null;
    });
    const shape = { shape: "cache-inside-input", reasoning: "beside-output" } as const;
    const counts = { ...shape, ...Object.fromEntries(known), input, output, total };
    return {
      id,
      messageId,
      at,
      model,
      counts,
      standing,
      reason,
      place,
      ...optional("isAtLeast", isAtLeast),
      ...optional("purpose", purpose),
      ...optional("tier", tier),
    };
  });
  return { rows: { ...rows, usage: factsOf({ ...rows.session, replies }) }, replies };
}

function repliesOf(all: readonly Recorded[]): OwnedReplies[] {
  const sources = [...new Set(all.map(({ rows }) => rows.summary.source))];
  return sources.map((source) => {
    const own = all.filter(({ rows }) => rows.summary.source === source);
    const table = emptyTable();
    for (const [number, { rows, replies }] of own.entries()) {
      addReplies(table, { ...rows.session, replies }, number);
    }
    const sessions = own.map(({ rows }) => rows);
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
        const all = randomRows(dice).map(recorded);
        const store = memoryStore();
        const sessions = all.map(({ rows }) => rows);
        const batch = { nowMs: 1, files: [], readings: [], sessions, dropped: [] };
        await store.commit(batch);
        const tables = repliesOf(all);
        for (let round = 0; round < 5; round += 1) {
          const { usage } = randomQuestions(dice);
          const { source, model, sinceMs, untilMs } = usage.filter;
          const filter = { source, model, sinceMs, untilMs } as LedgerFilter;
          const by = usage.by.filter((key) => !UNTOLD.includes(key));
          const query = { ...usage, filter, by, scope: "own", subagents: "separate" } as const;
          const why = JSON.stringify(query);
          const parts = tables.map((part) => selectReplies(part, filter));
          expect(plain(sumReplies(parts, query)), why).toEqual(plain(await store.usage(query)));
          expect(timesOf(parts)).toEqual(await store.times({ scope: "own", filter }));
        }
        const odd = await store.replies({ scope: "own", filter: {}, only: "odd" });
        const found = tables.flatMap((part) => {
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
      expect(() => sumReplies([selectReplies(part, {})], asked)).toThrow(key);
    }
  });
});
