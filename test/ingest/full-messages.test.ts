// @module-tag slow
import { describe, expect, test } from "vitest";
import type { Session } from "../../src/core/session/session.ts";
import { diskStore } from "../../src/ingest/disk-store.ts";
import { fullMessages } from "../../src/ingest/full-messages.ts";
import { readSessions } from "../../src/ingest/read-group.ts";
import { loadGroup } from "../../src/ingest/read-session.ts";
import type { ByteSource } from "../../src/kernel/bytes.ts";
import { memoryBytes } from "../../src/kernel/bytes.ts";
import { EVENT_EXTRAS } from "../../src/queries/events/event.ts";
import { eventsOf } from "../../src/queries/events/events.ts";
import { sources } from "../../src/sources/index.ts";
import type { Depth, Source } from "../../src/sources/source.ts";
import { sampleHomes } from "../samples/sample-homes.ts";
import { NOW_MS } from "./test-home.ts";

const ALL = { with: EVENT_EXTRAS };

/** Compares each session read in small blocks with the whole one. Returns their number. */
async function compare(source: Source, roots: readonly string[]): Promise<number> {
  const places = roots.map((path) => ({ source, root: { path, because: "test", isFound: true } }));
  const store = await diskStore(places, { depth: "full", nowMs: NOW_MS });
  const { items } = await store.sessions({ scope: "own", filter: {}, sort: "newest" });
  let compared = 0;
  for (const { summary } of items) {
    const { group } = (await loadGroup({ store, sources, scope: "own" }, summary)) ?? {};
    if (!group) continue;
    const read = (depth: Depth): Session | undefined =>
      readSessions(source, group, depth).find(({ id }) => id === summary.id);
    const [session, whole] = [read("outline"), read("full")];
    if (!session || !whole) continue;
    // A few lines per block, and most files in one block.
    for (const blockBytes of [3000, 60_000]) {
      const messages = [...fullMessages({ source, group, session }, blockBytes)];
      expect(messages, summary.id).toEqual(whole.messages);
      expect([...eventsOf(session, ALL, messages)], summary.id).toEqual([...eventsOf(whole, ALL)]);
    }
    compared += 1;
  }
  return compared;
}

describe("a session read block by block has the messages and events of the whole session", () => {
  test.each(sources.map((source) => [source.id, source] as const))(
    "%s",
    async (_, source) => {
      let compared = 0;
      for (const { roots } of sampleHomes(source)) {
        compared += await compare(source, roots);
      }
      expect(compared).toBeGreaterThan(0);
    },
    120_000,
  );
});

/** A session of `turns` turns; the last line rewinds to the first prompt. */
function longSession(turns: number): Buffer {
  const header = { sessionId: "5e551008", projectHash: "a".repeat(64), kind: "main" };
  const lines: object[] = [{ ...header, startTime: "2026-01-01T00:00:00.000Z" }];
  for (let turn = 0; turn < turns; turn += 1) {
    const timestamp = new Date(Date.UTC(2026, 0, 1) + turn * 1000).toISOString();
    const said = `${turn} ${"word ".repeat(200)}`;
    lines.push({ id: `u${turn}`, timestamp, type: "user", content: [{ text: said }] });
  }
  lines.push({ $rewindTo: "u0" });
  return Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
}

test("emits the first events of a long session before reading the rest in full", () => {
  const bytes = longSession(4000);
  let readBytes = 0;
  const counted: ByteSource = {
    ...memoryBytes("/h/.gemini/tmp/x/chats/session-2026-01-01T00-00-5e551008.jsonl", bytes),
    range(start, end) {
      readBytes += Math.min(end, bytes.length) - start;
      return Buffer.from(bytes.subarray(start, end));
    },
  };
  const [source] = sources;
  if (!source) throw new Error("There is no source.");
  const file = {
    source: source.id,
    path: counted.path,
    root: "/h/.gemini",
    folder: "x",
    role: "main",
    sizeBytes: bytes.length,
    modifiedMs: 0,
    isCleaned: false,
  } as const;
  const view = { files: [], read: () => "", bytes: () => counted };
  const group = [{ file, bytes: counted, home: { root: { path: "/h/.gemini" }, view } as never }];
  const [session] = readSessions(source, group, "outline");
  if (!session) throw new Error("There is no session.");
  const events = eventsOf(session, {}, fullMessages({ source, group, session }, 20_000));
  const first = Array.from({ length: 11 }, () => events.next().value);
  expect(first.at(-1)).toMatchObject({ type: "user_prompt", messageId: "u9", standing: "rewound" });
  expect(readBytes).toBeLessThan(bytes.length / 10);
  expect([...events]).toHaveLength(4000 + 2 - 11);
});
