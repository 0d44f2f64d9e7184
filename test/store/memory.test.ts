import { describe, expect, test } from "vitest";
import type { SessionRows } from "../../src/core/rows/session-rows.ts";
import type { BucketQuery, Store } from "../../src/store/store.ts";
import { memoryStore } from "../../src/store/memory/store.ts";
import { annotationsContract } from "../contracts/store-annotations.ts";
import { filesContract } from "../contracts/store-files.ts";
import { fact, sessionRows, textPiece } from "../contracts/store-samples.ts";

filesContract("memory", async () => memoryStore());
annotationsContract("memory", async () => memoryStore());

const EVERYTHING: BucketQuery = {
  scope: "own",
  filter: {},
  by: [],
  priceDates: [],
  thresholds: [],
  subagents: "separate",
};

async function storeOf(...sessions: SessionRows[]): Promise<Store> {
  const store = memoryStore();
  await store.commit({ nowMs: 1, files: [], readings: [], sessions, dropped: [] });
  return store;
}

describe("the plain store", () => {
  const first = sessionRows("first", {
    usage: [fact("first", "a", { at: "2026-05-01T10:00:00.000Z" })],
  });
  const copy = sessionRows("copy", {
    usage: [
      fact("copy", "a", { at: "2026-05-02T10:00:00.000Z" }),
      fact("copy", "b", { at: "2026-05-02T10:05:00.000Z", model: "models/large" }),
    ],
  });

  test("counts a reply in the session that recorded it first", async () => {
    const { buckets, sessions } = await (
      await storeOf(copy, first)
    ).usage({
      ...EVERYTHING,
      by: ["session"],
    });
    const actual = buckets.map(({ groups, requests, model }) => {
      return `${groups[0]?.key}: ${requests} of ${model}`;
    });
    expect(actual.toSorted()).toEqual(["agent:copy: 1 of large", "agent:first: 1 of small"]);
    expect(sessions.find(({ groups }) => groups.length === 0)?.count).toBe(2);
  });

  test("attributes tokens and chains to the session that owns a reply", async () => {
    const store = await storeOf(first, copy);
    const { items } = await store.sessions({ scope: "own", filter: {}, sort: "newest" });
    expect(items.map(({ summary }) => [summary.id, summary.tokens.total])).toEqual([
      ["copy", 110],
      ["first", 110],
    ]);
    expect(await store.chains("own")).toEqual([
      {
        sessionIds: ["first", "copy"],
        links: [{ fromId: "first", toId: "copy", how: "shared-messages", sharedMessages: 1 }],
      },
    ]);
  });

  test("counts by time ranges, even overlapping ones", async () => {
    const { buckets } = await (
      await storeOf(first, copy)
    ).usage({
      ...EVERYTHING,
      by: ["range"],
      ranges: [
        { from: Date.UTC(2026, 4, 1), to: Date.UTC(2026, 4, 2) },
        { from: 0, to: Date.UTC(2027, 0, 1) },
        "timeless",
      ],
    });
    const requests = new Map<string, number>();
    for (const bucket of buckets) {
      const key = bucket.groups[0]?.key ?? "";
      requests.set(key, (requests.get(key) ?? 0) + bucket.requests);
    }
    expect(Object.fromEntries(requests)).toEqual({ 0: 1, 1: 2 });
  });

  test("returns pages that continue each other", async () => {
    const store = await storeOf(first, copy, sessionRows("third", {}));
    const query = { scope: "own", filter: {}, sort: "title", limit: 2 } as const;
    const page = await store.sessions(query);
    expect([page.items.length, page.total]).toEqual([2, 3]);
    const rest = await store.sessions({ ...query, ...(page.next ? { after: page.next } : {}) });
    expect(rest.items.map(({ summary }) => summary.id)).toEqual(["third"]);
    expect(rest.next).toBeUndefined();
  });

  test("finds words, also inside identifiers, and suggests spellings", async () => {
    const store = await storeOf(first);
    const pieces = [textPiece("m1", "call getUserName first"), textPiece("m2", "nothing here")];
    await store.indexTexts([{ source: "agent", id: "first", pieces }]);
    const ask = (text: string) =>
      store.search({
        scope: "own",
        expression: { kind: "phrase", text, isPrefix: false },
        filter: {},
        limit: 10,
      });
    expect((await ask("user name")).hits.map(({ messageId }) => messageId)).toEqual(["m1"]);
    expect(await ask("nothign")).toEqual({
      hits: [],
      total: 0,
      order: "rank",
      suggestions: ["nothing"],
    });
  });
});
