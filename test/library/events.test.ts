import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { open } from "../../src/library/library.ts";
import type { SessionEvent } from "../../src/queries/events/event.ts";
import type { Driver } from "../../src/store/sqlite/driver.ts";

const { DatabaseSync } = createRequire(import.meta.url)("@photostructure/sqlite") as Driver;
const TREES = join(import.meta.dirname, "../fixtures/corpora");
const environment = { env: {}, homeDir: "/home/ada" };
const NOW = Date.UTC(2026, 10, 16);

test("the first event is told before a kept session is read", async () => {
  const folder = mkdtempSync(join(tmpdir(), "pollux-events-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const root = join(folder, ".gemini");
  cpSync(join(TREES, "gemini-cli/0.61.0/tools/.gemini"), root, { recursive: true });
  const archive = join(folder, "archive.db");
  const library = open({ roots: [root], archive, environment });
  onTestFinished(() => library.close());
  await library.keep(NOW);
  const whole: SessionEvent[] = [];
  for await (const event of library.events("latest")) whole.push(event);
  expect(whole.map(({ seq }) => seq)).toEqual(whole.map((_, index) => index));
  const database = new DatabaseSync(archive);
  database.exec("UPDATE chunks SET bytes = zeroblob(3)");
  database.close();
  const again = open({ archive, refresh: "none", environment });
  onTestFinished(() => again.close());
  const events = again.events("latest");
  expect((await events.next()).value).toEqual(whole[0]);
  await expect(events.next()).rejects.toBeInstanceOf(Error);
});
