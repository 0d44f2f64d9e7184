// @module-tag slow
import { appendFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { watchPaths } from "../../src/ingest/watch.ts";
import { header, jsonl, user } from "../samples/records.ts";
import { rowsIn } from "./sessions-in.ts";
import { sqliteStore } from "./stores.ts";
import { CHATS, newRoot, NOW_MS, readText, TestHome } from "./test-home.ts";

/** Counts calls; `times` resolves when the count is reached. */
class Calls {
  #count = 0;
  #waiting: { count: number; resolve: () => void }[] = [];

  readonly tell = (): void => {
    this.#count += 1;
    for (const waiting of this.#waiting.filter(({ count }) => count <= this.#count))
      waiting.resolve();
  };

  times(count: number): Promise<void> {
    if (this.#count >= count) return Promise.resolve();
    return new Promise((resolve) => void this.#waiting.push({ count, resolve }));
  }

  get count(): number {
    return this.#count;
  }
}

test("reports changes, a burst of them once", async () => {
  const place = join(newRoot(), "watched");
  mkdirSync(place);
  const calls = new Calls();
  const watching = watchPaths([place], calls.tell);
  onTestFinished(() => watching.close());
  for (let n = 0; n < 20; n += 1) writeFileSync(join(place, `${n}.jsonl`), "x");
  await calls.times(1);
  expect(calls.count).toBe(1);
  appendFileSync(join(place, "0.jsonl"), "more");
  await calls.times(2);
  mkdirSync(join(place, "ledger", "chats"), { recursive: true });
  writeFileSync(join(place, "ledger", "chats", "s.jsonl"), "x");
  await calls.times(3);
  expect(calls.count).toBeGreaterThanOrEqual(3);
});

test("watches a path that does not exist yet", async () => {
  const place = join(newRoot(), "watched");
  const calls = new Calls();
  const watching = watchPaths([place], calls.tell);
  onTestFinished(() => watching.close());
  mkdirSync(place);
  writeFileSync(join(place, "s.jsonl"), "x");
  await calls.times(1);
  expect(calls.count).toBeGreaterThanOrEqual(1);
});

test("watches one file without its neighbours", async () => {
  const root = newRoot();
  const calls = new Calls();
  const watching = watchPaths([join(root, "history.jsonl")], calls.tell);
  onTestFinished(() => watching.close());
  for (let n = 0; n < 5; n += 1) writeFileSync(join(root, `settings-${n}.json`), "x");
  await new Promise((resolve) => void setTimeout(resolve, 600));
  expect(calls.count).toBe(0);
  writeFileSync(join(root, "history.jsonl"), "x");
  await calls.times(1);
  appendFileSync(join(root, "history.jsonl"), "more");
  await calls.times(2);
});

test("watches a path that is removed and created again, with one watcher per folder", async () => {
  const root = newRoot();
  const place = join(root, "watched");
  const fill = (): void => {
    mkdirSync(join(place, "ledger"), { recursive: true });
    for (let n = 0; n < 50; n += 1) writeFileSync(join(place, "ledger", `${n}.jsonl`), "x");
  };
  fill();
  const calls = new Calls();
  const watching = watchPaths([place], calls.tell);
  onTestFinished(() => watching.close());
  expect(watching.folders).toBeLessThanOrEqual(2);
  rmSync(place, { recursive: true });
  await calls.times(1);
  fill();
  await calls.times(2);
  const before = calls.count;
  appendFileSync(join(place, "ledger", "0.jsonl"), "more");
  await calls.times(before + 1);
});

test.each([
  ["linux", 4],
  ["darwin", 1],
  ["win32", 1],
] as const)(
  "watches a folder with three folders below on %s with %i watchers",
  (platform, count) => {
    const place = join(newRoot(), "watched");
    for (const name of ["", "ledger", "ledger/chats", "garden"]) mkdirSync(join(place, name));
    const watching = watchPaths([place], () => undefined, platform);
    onTestFinished(() => watching.close());
    expect(watching.folders).toBe(count);
  },
);

test("keeps a growing session automatically, one ingest at a time", async () => {
  const home = new TestHome();
  const name = `${CHATS}/session-2026-02-10T17-28-aaaaaaaa.jsonl`;
  home.write(name, jsonl(header("one"), user("u1", 1, "first")));
  await home.ingest();
  let running = 0;
  let most = 0;
  let done = new Calls();
  const watching = watchPaths(home.source.watched(home.place.root), async () => {
    running += 1;
    most = Math.max(most, running);
    await home.ingest();
    await new Promise((resolve) => void setTimeout(resolve, 400));
    running -= 1;
    done.tell();
  });
  onTestFinished(() => watching.close());
  home.append(name, jsonl(user("u2", 2, "second")));
  await done.times(1);
  expect((await rowsIn(home))[0]?.summary.prompts).toBe(2);
  done = new Calls();
  for (let at = 3; at < 8; at += 1) {
    home.append(name, jsonl(user(`u${at}`, at, "more")));
    await new Promise((resolve) => void setTimeout(resolve, 200));
  }
  await done.times(2);
  expect(most).toBe(1);
  await home.ingest();
  expect((await rowsIn(home))[0]?.summary.prompts).toBe(7);
});

/** A home whose changes are ingested when they happen, with a clock set by the test. */
async function watchedHome(): Promise<{ home: TestHome; clock: { nowMs: number } }> {
  const home = new TestHome({ store: await sqliteStore() });
  const clock = { nowMs: NOW_MS };
  const watching = watchPaths(home.source.watched(home.place.root), async () => {
    await home.ingest({ clock: () => clock.nowMs });
  });
  onTestFinished(() => watching.close());
  return { home, clock };
}

const DAY_MS = 86_400_000;
const NAME = `${CHATS}/session-2026-02-10T17-28-aaaaaaaa.jsonl`;

test.each([
  ["forward", 400],
  ["backward", -800],
])("loses nothing when the clock jumps %s and back", async (_, days) => {
  const { home, clock } = await watchedHome();
  const kept = () => home.kept(NAME).catch(() => "");
  home.write(NAME, jsonl(header("one"), user("u1", 1, "first")));
  await expect.poll(kept).toBe(readText(home.path(NAME)));
  for (const [at, nowMs] of [NOW_MS + days * DAY_MS, NOW_MS].entries()) {
    clock.nowMs = nowMs;
    home.append(NAME, jsonl(user(`u${at + 2}`, at + 2, "more")));
    await expect.poll(kept).toBe(readText(home.path(NAME)));
  }
  await home.ingest({ clock: () => clock.nowMs });
  expect(await rowsIn(home)).toMatchObject([{ summary: { id: "one", prompts: 3 } }]);
});

test("keeps sessions that an agent deletes meanwhile, and those it writes next", async () => {
  const { home } = await watchedHome();
  home.write(NAME, jsonl(header("one"), user("u1", 1, "first")));
  const ids = async () => (await rowsIn(home)).map(({ summary }) => summary.id).toSorted();
  await expect.poll(ids).toEqual(["one"]);
  const before = readText(home.path(NAME));
  home.remove(CHATS);
  const gone = async () => (await rowsIn(home)).map(({ summary }) => summary.goneSince !== null);
  await expect.poll(gone).toEqual([true]);
  expect(await home.kept(NAME)).toBe(before);
  const other = `${CHATS}/session-2026-02-11T17-28-bbbbbbbb.jsonl`;
  home.write(other, jsonl(header("two"), user("u1", 1, "again")));
  await expect.poll(ids).toEqual(["one", "two"]);
});
