// @module-tag slow
import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { sampleHomes } from "../samples/sample-homes.ts";
import type { TextPiece } from "../../src/core/session/text.ts";
import { diskStore } from "../../src/ingest/disk-store.ts";
import { loadGroup } from "../../src/ingest/read-session.ts";
import { readSessions } from "../../src/ingest/read-group.ts";
import { textsInParts } from "../../src/ingest/texts/large-texts.ts";
import { textsOf } from "../../src/ingest/texts/texts.ts";
import { sources } from "../../src/sources/index.ts";
import type { Source } from "../../src/sources/source.ts";
import { NOW_MS } from "./test-home.ts";

const demo = resolve(import.meta.dirname, "../../demo/home/.gemini");
const readSpill = (): undefined => undefined;

/** The text pieces in sorted order, for comparison. */
function said(pieces: readonly TextPiece[]): string[] {
  return pieces
    .map((piece) => JSON.stringify({ ...piece, places: piece.places.length }))
    .toSorted();
}

/** Compares texts read in parts with those of the whole. Returns the number of sessions. */
async function compare(source: Source, roots: readonly string[]): Promise<number> {
  const places = roots.map((path) => ({
    source,
    root: { path, because: "a test", isFound: true },
  }));
  const store = await diskStore(places, { depth: "full", nowMs: NOW_MS });
  const { items } = await store.sessions({ scope: "own", filter: {}, sort: "newest" });
  let same = 0;
  for (const { summary } of items) {
    const loaded = await loadGroup({ store, sources, scope: "own" }, summary);
    if (!loaded) continue;
    const whole = readSessions(source, loaded.group, "full").flatMap((session) =>
      textsOf(session, readSpill),
    );
    // A few lines per block.
    const parts = [...textsInParts(source, loaded.group, { readSpill, blockBytes: 3000 })];
    expect(said(parts.flatMap(({ pieces }) => pieces)), summary.id).toEqual(said(whole));
    same += 1;
  }
  return same;
}

describe("texts of a session read in parts equal those of the whole session", () => {
  test("the demo", async () => {
    const [gemini] = sources;
    if (!gemini) throw new Error("There is no source.");
    expect(await compare(gemini, [demo])).toBeGreaterThan(5);
  });

  test.each(sources.map((source) => [source.id, source] as const))(
    "%s",
    async (_, source) => {
      let same = 0;
      for (const { roots } of sampleHomes(source)) same += await compare(source, roots);
      expect(same).toBeGreaterThan(0);
    },
    120_000,
  );
});
