// @module-tag slow
import { createHash } from "node:crypto";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { ingest } from "../../src/ingest/ingest.ts";
import type { IngestReport } from "../../src/ingest/ingest-report.ts";
import { diskStore } from "../../src/ingest/disk-store.ts";
import { rebuild } from "../../src/ingest/rebuild.ts";
import { geminiCli } from "../../src/sources/gemini-cli/index.ts";
import { sources } from "../../src/sources/index.ts";
import type { Store } from "../../src/store/store.ts";
import { ChangingHome } from "../store/changing-home.ts";
import { answersOf } from "./answers.ts";
import { STORES } from "./stores.ts";
import { filesBelow, NOW_MS } from "./test-home.ts";

const demo = resolve(import.meta.dirname, "../../demo/home/.gemini");

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "pollux-changing-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

function look(store: Store, path: string, nowMs = NOW_MS): Promise<IngestReport[]> {
  const place = { source: geminiCli, root: { path, because: "a test", isFound: true } };
  return ingest(store, [place], { how: "usual", clock: () => nowMs });
}

/** Like `look`, but after an empty directory snapshot, so that every file is compared. */
async function lookAtAll(store: Store, path: string, nowMs = NOW_MS): Promise<IngestReport[]> {
  const comparisons = (await store.roots()).map(({ id }) => ({ rootId: id, diagnostics: [] }));
  const nothing = { files: [], readings: [], sessions: [], dropped: [] };
  if (comparisons.length > 0) await store.commit({ nowMs, ...nothing, comparisons });
  return look(store, path, nowMs);
}

/** Digests of all kept versions of a file. */
async function statesOf(store: Store, path: string): Promise<Set<string>> {
  const states = new Set<string>();
  for (const { id } of await store.known({ paths: [path] })) {
    for (const { content, sizeBytes } of await store.versions(id)) {
      const bytes = await store.bytes({ path, content, sizeBytes });
      states.add(createHash("sha256").update(bytes.range(0, sizeBytes)).digest("hex"));
    }
  }
  return states;
}

describe.each(STORES)("with a %s store, a home with random changes", (_, open) => {
  test.each([2, 11])("is kept in every scanned state and no other (seed %i)", async (seed) => {
    const home = new ChangingHome(folder(), seed);
    const store = await open();
    for (let round = 0; round < 12; round += 1) {
      await look(store, home.root);
      home.seen();
      home.change();
    }
    for (const [path, digests] of home.truth) {
      const states = await statesOf(store, path);
      expect(
        [...digests].filter((digest) => !states.has(digest)),
        path,
      ).toEqual([]);
      expect(
        [...states].filter((digest) => !home.wasSo(path, digest)),
        path,
      ).toEqual([]);
    }
  });

  test.each([3])("has the rows that a rebuild gives (seed %i)", async (seed) => {
    const home = new ChangingHome(folder(), seed);
    const store = await open();
    for (let round = 0; round < 12; round += 1) {
      await look(store, home.root, NOW_MS + round * 1000);
      home.change();
    }
    await look(store, home.root, NOW_MS + 60_000);
    expect(await store.unread()).toEqual([]);
    const before = await answersOf(store);
    await rebuild(store, { sources, clock: () => NOW_MS });
    expect(await answersOf(store)).toEqual(before);
  });

  test.each([4])("gets equal partial and full comparisons (seed %i)", async (seed) => {
    const home = new ChangingHome(folder(), seed, { sessions: 60, sessionBytes: 200 });
    const [quick, plain] = [await open(), await open()];
    for (let round = 0; round < 10; round += 1) {
      // With the current time, files just written are not settled; with NOW_MS they are.
      const nowMs = round % 5 === 4 ? Date.now() : NOW_MS;
      expect(await look(quick, home.root, nowMs)).toEqual(await lookAtAll(plain, home.root, nowMs));
      expect(await answersOf(quick)).toEqual(await answersOf(plain));
      await look(quick, home.root);
      await lookAtAll(plain, home.root);
      if (round % 3 === 2) home.change();
      else home.growAll();
    }
  });
});

describe.each(STORES)("with a %s store, an interrupted ingest", (_, open) => {
  test.each([1, 2])("continues where it stopped (seed %i)", async (seed) => {
    const home = new ChangingHome(folder(), seed, { sessions: 30, sessionBytes: 700_000 });
    const place = {
      source: geminiCli,
      root: { path: home.root, because: "a test", isFound: true },
    };
    const store = await open();
    const nowMs = Date.now() + 60_000;
    let left = 3 + home.next(20);
    const broken = ingest(store, [place], {
      how: "usual",
      clock: () => nowMs,
      progress: () => {
        left -= 1;
        if (left === 0) throw new Error("broken off");
      },
    });
    await expect(broken).rejects.toThrow("broken off");
    const before = await store.sessions({ scope: "own", filter: {}, sort: "newest" });
    await look(store, home.root, nowMs);
    const oracle = await answersOf(await diskStore([place], { depth: "full", nowMs }));
    expect(await answersOf(store)).toEqual(oracle);
    // The interrupted run had not committed everything.
    expect(before.total).toBeLessThan(30);
  });
});

/** Flips, cuts, doubles and drops bytes, as crashes and bad disks do. */
function damage(path: string, next: (limit: number) => number): void {
  const bytes = readFileSync(path);
  if (bytes.length === 0) return;
  const at = next(bytes.length);
  const length = 1 + next(200);
  const rest = bytes.subarray(Math.min(bytes.length, at + length));
  const pieces = [
    [bytes.subarray(0, at)],
    [bytes.subarray(0, at), rest],
    [bytes.subarray(0, at), Buffer.alloc(length), rest],
    [bytes.subarray(0, at), bytes.subarray(at, at + length), bytes.subarray(at)],
    [bytes.subarray(0, at), Buffer.from("\n"), bytes.subarray(at)],
    [bytes.subarray(0, at), Buffer.from([0xff, 0xfe, 0x22]), rest],
  ][next(6)];
  writeFileSync(path, Buffer.concat(pieces ?? []));
}

describe.each(STORES)("with a %s store, a home with damaged bytes", (_, open) => {
  test.each([1, 3])("gives the same answers as reading from disk (seed %i)", async (seed) => {
    const root = join(folder(), ".gemini");
    cpSync(demo, root, { recursive: true });
    let state = seed * 7919;
    const next = (limit: number): number => {
      state = (state * 48_271) % 2_147_483_647;
      return state % limit;
    };
    const files = filesBelow(root);
    for (let times = 0; times < 30; times += 1) damage(files[next(files.length)] ?? "", next);
    const place = { source: geminiCli, root: { path: root, because: "a test", isFound: true } };
    const oracle = await answersOf(await diskStore([place], { depth: "full", nowMs: NOW_MS }));
    const store = await open();
    await look(store, root);
    expect(await answersOf(store)).toEqual(oracle);
    const outline = await diskStore([place], { depth: "outline", nowMs: NOW_MS });
    expect(await answersOf(outline)).toEqual(oracle);
  });
});
