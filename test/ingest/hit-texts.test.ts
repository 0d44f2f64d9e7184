import { expect, test } from "vitest";
import type { TextHit } from "../../src/core/session/text.ts";
import { hitTexts } from "../../src/ingest/texts/hit-texts.ts";
import type { SessionPlace } from "../../src/ingest/read-session.ts";
import { memoryBytes } from "../../src/kernel/bytes.ts";

/** A store that has one file, and fails when a whole session is read. */
function storeOf(content: string): SessionPlace {
  const store = {
    known: async () => [{ path: "a", role: "session" }],
    bytes: async () => memoryBytes("a", Buffer.from(content)),
  };
  return { store: store as unknown as SessionPlace["store"], sources: [], scope: "own" };
}

test("the text of a file that a prompt refers to is read from the record alone", async () => {
  const record = JSON.stringify({ id: "m1", type: "user", content: "look at @a.ts: a needle" });
  const hit: TextHit = {
    source: "tiny",
    sessionId: "s1",
    messageId: "m1",
    role: "tool",
    standing: "live",
    atMs: undefined,
    places: [{ file: "a", start: 0, end: record.length }],
    rank: 1,
  };
  const found = await hitTexts(storeOf(record), [hit], (text) => text.includes("needle"));
  expect(found).toEqual([["look at @a.ts: a needle"]]);
});
