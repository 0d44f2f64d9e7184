import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Library } from "../../src/library/library.ts";
import { open } from "../../src/library/library.ts";
import type { SessionEvent } from "../../src/queries/events/event.ts";
import type { Driver } from "../../src/store/sqlite/driver.ts";

const { DatabaseSync } = createRequire(import.meta.url)("@photostructure/sqlite") as Driver;
const TREES = join(import.meta.dirname, "../fixtures/corpora");
const environment = { env: {}, homeDir: "/home/ada" };
const NOW = Date.UTC(2026, 10, 16);

/** A library with one kept session, and a function that makes the stored bytes unreadable. */
async function keptSession(): Promise<{ library: Library; broken: () => Library }> {
  const folder = mkdtempSync(join(tmpdir(), "pollux-events-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const root = join(folder, ".gemini");
  cpSync(join(TREES, "gemini-cli/0.61.0/tools/.gemini"), root, { recursive: true });
  const archive = join(folder, "archive.db");
  const library = open({ roots: [root], archive, environment });
  onTestFinished(() => library.close());
  await library.keep(NOW);
  const broken = (): Library => {
    const database = new DatabaseSync(archive);
    database.exec("UPDATE chunks SET bytes = zeroblob(3)");
    database.close();
    const again = open({ archive, refresh: "none", environment });
    onTestFinished(() => again.close());
    return again;
  };
  return { library, broken };
}

test("the first event is returned before the bytes of a kept session are read", async () => {
  const { library, broken } = await keptSession();
  const whole: SessionEvent[] = [];
  for await (const event of library.events("latest")) whole.push(event);
  expect(whole.map(({ seq }) => seq)).toEqual(whole.map((_, index) => index));
  const events = broken().events("latest");
  expect((await events.next()).value).toEqual(whole[0]);
  await expect(events.next()).rejects.toBeInstanceOf(Error);
});

test.each(["events-jsonl", "jsonl"])(
  "the first line of export %s is returned before the bytes are read",
  async (to) => {
    const { library, broken } = await keptSession();
    const chunksOf = async (from: Library): Promise<AsyncIterator<string | Uint8Array>> => {
      for await (const { chunks } of from.export({ ids: ["latest"] }, { to, nowMs: NOW })) {
        return chunks[Symbol.asyncIterator]();
      }
      throw new Error("nothing was exported");
    };
    const first = await (await chunksOf(library)).next();
    const { session } = await library.transcript("latest");
    expect(JSON.parse(String(first.value))).toMatchObject(
      to === "jsonl" ? { type: "session", ...session } : { type: "session_start", seq: 0 },
    );
    const chunks = await chunksOf(broken());
    expect(await chunks.next()).toEqual(first);
    await expect(chunks.next()).rejects.toBeInstanceOf(Error);
  },
);
