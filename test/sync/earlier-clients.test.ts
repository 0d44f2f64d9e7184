import { expect, test } from "vitest";
import type { SentSession } from "../../src/core/team/sync-protocol.ts";
import { memoryStore } from "../../src/store/memory/store.ts";
import { keepSentRows } from "../../src/team/sent-rows.ts";
import { fact, sessionRows } from "../contracts/store-samples.ts";

test("rows of a client that does not know searches yet leave them unknown", async () => {
  const { summary, usage, ...rest } = sessionRows("s1", { usage: [fact("s1", "r1")] });
  const { webSearches: _sum, ...older } = summary;
  const facts = usage.map(({ webSearches: _count, ...known }) => known);
  const sent = { rows: { ...rest, summary: older, usage: facts } } as unknown as SentSession;
  const store = memoryStore();
  await keepSentRows(store, sent, { machine: { uid: "m1", name: "desk" }, nowMs: 1 });
  const [row] = (await store.sessions({ scope: "own", filter: {}, sort: "newest" })).items;
  expect(row?.summary).toMatchObject({ id: "s1", webSearches: null });
  const [reply] = await store.replies({ scope: "own", filter: {} });
  expect(reply).toMatchObject({ replyId: "r1", webSearches: null });
});
