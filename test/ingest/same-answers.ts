import { expect } from "vitest";
import type { SourceRoot } from "../../src/ingest/decode.ts";
import { diskStore } from "../../src/ingest/disk-store.ts";
import { diskUsage } from "../../src/ingest/disk-usage.ts";
import { ingest } from "../../src/ingest/ingest.ts";
import { memoryStore } from "../../src/store/memory/store.ts";
import type { Store } from "../../src/store/store.ts";
import { answersOf, usageAnswers } from "./answers.ts";
import { sqliteStore } from "./stores.ts";
import { NOW_MS } from "./test-home.ts";

/** Checks that every kind of store gives the answers of a full read from disk. */
export async function expectSame(
  places: readonly SourceRoot[],
  stores: "memory" | "memory and SQLite",
  files: "intact" | "damaged" = "intact",
): Promise<Store> {
  const store = memoryStore();
  await ingest(store, places, { how: "usual", clock: () => NOW_MS });
  const full = await diskStore(places, { depth: "full", nowMs: NOW_MS });
  const oracle = await answersOf(full);
  // Without a session nobody asks the disk for projects, and damage in their list is not noticed.
  if (files === "damaged" && oracle.sessions.length === 0) return store;
  expect(await answersOf(store), "kept in memory").toEqual(oracle);
  if (stores !== "memory") {
    const sqlite = await sqliteStore();
    await ingest(sqlite, places, { how: "usual", clock: () => NOW_MS });
    expect(await answersOf(sqlite), "kept in SQLite").toEqual(oracle);
  }
  const outline = await diskStore(places, { depth: "outline", nowMs: NOW_MS });
  expect(await answersOf(outline), "outline").toEqual(oracle);
  const usage = await diskUsage(places, { nowMs: NOW_MS });
  const unequal = await full.replies({ scope: "own", filter: {}, only: "unequal" });
  expect(usage === "declined").toBe(unequal.length > 0);
  if (usage === "declined") return store;
  const [less, all] = [await usageAnswers(usage), await usageAnswers(full)];
  // A usage report does not notice damage in what it does not need.
  if (files === "damaged") {
    const noticed = less.diagnostics.filter(({ severity }) => severity === "damage");
    expect(all.diagnostics).toEqual(expect.arrayContaining(noticed));
    less.diagnostics = all.diagnostics;
  }
  expect(less, "usage").toEqual(all);
  return store;
}
