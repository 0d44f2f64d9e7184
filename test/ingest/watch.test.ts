// @module-tag slow
import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { watchPlaces } from "../../src/ingest/watch.ts";
import { folder } from "../store/places.ts";

/** Resolves when it was told so often. */
class Told {
  #count = 0;
  #waiting: { count: number; resolve: () => void }[] = [];

  readonly tell = (): void => {
    this.#count += 1;
    for (const one of this.#waiting.filter(({ count }) => count <= this.#count)) one.resolve();
  };

  times(count: number): Promise<void> {
    if (this.#count >= count) return Promise.resolve();
    return new Promise((resolve) => void this.#waiting.push({ count, resolve }));
  }

  get count(): number {
    return this.#count;
  }
}

test("news are told, a burst of them once", async () => {
  const place = join(folder(), "tmp");
  mkdirSync(place);
  const told = new Told();
  const watching = await watchPlaces([place], told.tell);
  onTestFinished(() => watching.close());
  await watching.ready;
  for (let n = 0; n < 20; n += 1) writeFileSync(join(place, `${n}.jsonl`), "x");
  await told.times(1);
  expect(told.count).toBe(1);
  appendFileSync(join(place, "0.jsonl"), "more");
  await told.times(2);
  mkdirSync(join(place, "ledger", "chats"), { recursive: true });
  writeFileSync(join(place, "ledger", "chats", "s.jsonl"), "x");
  await told.times(3);
  expect(told.count).toBeGreaterThanOrEqual(3);
});

test("a place that is not there yet is watched all the same", async () => {
  const place = join(folder(), "tmp");
  const told = new Told();
  const watching = await watchPlaces([place], told.tell);
  onTestFinished(() => watching.close());
  await watching.ready;
  mkdirSync(place);
  writeFileSync(join(place, "s.jsonl"), "x");
  await told.times(1);
  expect(told.count).toBeGreaterThanOrEqual(1);
});
