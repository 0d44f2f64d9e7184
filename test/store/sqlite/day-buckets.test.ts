// @module-tag slow
import { DatabaseSync } from "@photostructure/sqlite";
import { afterEach, expect, test } from "vitest";
import type { SessionRows } from "../../../src/core/rows/session-rows.ts";
import { memoryStore } from "../../../src/store/memory/store.ts";
import type { Batch, BucketKey, BucketQuery, Store } from "../../../src/store/store.ts";
import { Dice, randomRows } from "../../contracts/random-home.ts";
import { ROOT } from "../../contracts/store-samples.ts";
import { archiveAt } from "../temporary-archives.ts";

const QUARTER = 900_000;
const DAY = 96 * QUARTER;
const MARCH = Date.UTC(2026, 2, 1);
const KEYS = ["model", "source", "project", "kind", "standing", "purpose"] as const;
const EMPTY: Batch = { nowMs: 1, files: [], readings: [], sessions: [], dropped: [] };

const zone = process.env["TZ"];
afterEach(() => {
  if (zone === undefined) delete process.env["TZ"];
  else process.env["TZ"] = zone;
});

/** Offset of midnight from UTC in minutes, in March 2026. */
const ZONES = { UTC: 0, "Asia/Kathmandu": -345, "America/St_Johns": 210 };

for (const [name, minutes] of Object.entries(ZONES)) {
  test(`days of ${name} have the sums of the plain store`, { timeout: 60_000 }, async () => {
    process.env["TZ"] = name;
    expect(new Date(MARCH).getTimezoneOffset()).toBe(minutes);
    for (let seed = 0; seed < 6; seed += 1) {
      const dice = new Dice(seed);
      const { store, plain, rows } = await bothWith(dice);
      for (const change of changesOf(dice, rows)) {
        for (const each of [store, plain]) await each.commit(change);
        const hasDays = change.comparisons !== undefined;
        expect(staleDays(store) === 0).toBe(hasDays || changesNothing(change));
        for (let turn = 0; turn < 8; turn += 1) {
          const query = randomQuery(dice, minutes * 60_000);
          const [actual, truth] = [await store.usage(query), await plain.usage(query)];
          expect(inOrder(actual), JSON.stringify(query)).toEqual(inOrder(truth));
          const tools = { scope: "own", filter: query.filter } as const;
          expect(await store.tools(tools)).toEqual(await plain.tools(tools));
          expect(await store.times(tools)).toEqual(await plain.times(tools));
        }
      }
    }
  });
}

test("days of another time zone are summed again at the next refresh", async () => {
  const { store, plain } = await bothWith(new Dice(3));
  process.env["TZ"] = "Asia/Kathmandu";
  const query = { ...randomQuery(new Dice(1), 0), by: ["range"] as const, filter: {} };
  const ranges = [{ from: MARCH - 345 * 60_000, to: MARCH + DAY - 345 * 60_000 }];
  const truth = inOrder(await plain.usage({ ...query, ranges }));
  expect(inOrder(await store.usage({ ...query, ranges }))).toEqual(truth);
  await store.commit({ ...EMPTY, comparisons: [] });
  expect(inOrder(await store.usage({ ...query, ranges }))).toEqual(truth);
});

test("nothing of a forgotten project stays", async () => {
  const { store, rows } = await bothWith(new Dice(5));
  const sessions = rows.map(({ summary: { source, id } }) => ({ source, id }));
  await store.forget({ files: [], sessions, paths: [], nowMs: 2 });
  const database = new DatabaseSync(store.location, { readOnly: true });
  for (const table of ["session_groups", "day_buckets", "day_tool_buckets", "stale_days"]) {
    expect(database.prepare(`SELECT count(*) AS n FROM ${table}`).get()).toEqual({ n: 0 });
  }
  database.close();
});

async function bothWith(
  dice: Dice,
): Promise<{ store: Store; plain: Store; rows: readonly SessionRows[] }> {
  const [store, plain] = [await archiveAt(), memoryStore()];
  const rows = randomRows(dice);
  for (const each of [store, plain]) {
    await each.addRoot({ source: "agent", path: ROOT, how: "usual" }, 1);
    await each.commit({ ...EMPTY, sessions: rows, comparisons: [] });
  }
  return { store, plain, rows };
}

/** A removed session, and sessions with another project, each with a refresh. */
function changesOf(dice: Dice, rows: readonly SessionRows[]): Batch[] {
  const refs = rows.map(({ summary: { source, id } }) => ({ source, id }));
  const project = { name: "renamed", path: "/home/ada/renamed", knownBy: "registry" } as const;
  return [
    EMPTY,
    { ...EMPTY, dropped: [dice.pick(refs)], comparisons: [] },
    { ...EMPTY, renamed: refs.slice(0, 3).map((ref) => ({ ...ref, project })), comparisons: [] },
  ];
}

function changesNothing({ dropped, renamed }: Batch): boolean {
  return dropped.length === 0 && renamed === undefined;
}

function staleDays(store: Store): number {
  const database = new DatabaseSync(store.location, { readOnly: true });
  const row = database.prepare("SELECT count(*) AS n FROM stale_days").get() as { n: number };
  database.close();
  return row.n;
}

/** Whole days, in UTC and in the local time zone. */
function randomQuery(dice: Dice, offsetMs: number): BucketQuery {
  const midnight = (): number => MARCH + dice.roll(4) * DAY + (dice.chance(50) ? offsetMs : 0);
  const isRanged = dice.chance(60);
  const by: BucketKey[] = dice.some(3, () => dice.pick(KEYS));
  const ranges = dice.some(4, () => {
    const from = midnight();
    return dice.chance(20) ? ("timeless" as const) : { from, to: from + DAY };
  });
  return {
    scope: "own",
    filter: {
      ...(dice.chance(20) ? { sinceMs: midnight() } : {}),
      ...(dice.chance(20) ? { untilMs: midnight() } : {}),
      ...(dice.chance(20) ? { source: "agent" } : {}),
      ...(dice.chance(20) ? { model: "large" } : {}),
    },
    by: isRanged ? ["range", ...by] : by,
    ...(isRanged ? { ranges } : {}),
    priceDates: dice.chance(50) ? [] : [MARCH + DAY],
    thresholds: dice.pick([[], [128_000, 200_000]]),
    subagents: "separate",
  };
}

function inOrder(answer: { buckets: unknown[]; sessions: unknown[] }): string[] {
  return [...answer.buckets, ...answer.sessions].map((row) => JSON.stringify(row)).toSorted();
}
