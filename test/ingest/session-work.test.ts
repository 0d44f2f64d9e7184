import { join } from "node:path";
import { expect, test } from "vitest";
import { ingest } from "../../src/ingest/ingest.ts";
import { indexTexts } from "../../src/ingest/texts/index-texts.ts";
import { sources } from "../../src/sources/index.ts";
import { memoryStore } from "../../src/store/memory/store.ts";
import type { SessionWorkRow } from "../../src/core/rows/session-work.ts";

const environment = { env: {}, tempDir: "/none", platform: "linux" as const, requestedRoots: [] };

/** The work of all demo sessions, from groups above `largeBytes` read part by part. */
async function workOfDemo(largeBytes: number): Promise<SessionWorkRow[]> {
  const homeDir = join(import.meta.dirname, "..", "..", "demo", "home");
  const places = sources.flatMap((source) => {
    const roots = source.roots({ ...environment, homeDir });
    return roots.filter(({ isFound }) => isFound).map((root) => ({ source, root }));
  });
  const store = memoryStore();
  await ingest(store, places, { how: "usual", clock: () => 1 });
  await indexTexts(store, { sources, largeBytes });
  const refs = await store.refs({ scope: "own", filter: {}, sort: "newest" });
  return store.work(refs.map(({ id }) => id));
}

test("the work of a session is the same, read as a whole or part by part", async () => {
  const rows = await workOfDemo(Number.MAX_SAFE_INTEGER);
  expect(rows.length).toBeGreaterThan(10);
  for (const { work, replies } of rows) {
    expect(work?.replies).toMatch(/^[0-5]*$/);
    // Replies are classified by their position among all that the session recorded.
    expect(replies.every(({ position }) => position < (work?.replies.length ?? 0))).toBe(true);
  }
  const all = rows.flatMap(({ work }) => work ?? []);
  expect(all.some(({ reads }) => reads.some(({ characters }) => characters > 0))).toBe(true);
  expect(await workOfDemo(0)).toEqual(rows);
});
