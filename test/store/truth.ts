import { createHash } from "node:crypto";
import { copyFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { expect } from "vitest";
import { textsPath } from "../../src/store/sqlite/texts/text-database.ts";
import { openSqliteStore } from "../../src/store/sqlite/store.ts";
import type { Store } from "../../src/store/store.ts";
import type { Driver } from "../../src/store/sqlite/driver.ts";
import { READER_VERSION } from "../../src/ingest/reader-version.ts";
import { open } from "../../src/library/library.ts";
import type { KnownFile, Version } from "../../src/core/files/kept.ts";
import type { ByteSource } from "../../src/kernel/bytes.ts";
import type { SessionSummary } from "../../src/core/rows/summary.ts";
import type { ChangingHome } from "./changing-home.ts";
import { tokensOf } from "./changing-home.ts";
import { ended, start } from "./program.ts";

const { DatabaseSync } = createRequire(import.meta.url)("@photostructure/sqlite") as Driver;
const environment = { homeDir: "/home/ada", env: {} };

/**
 * Checks after any end of a process: the file is sound, all bytes match their digests, every kept
 * state is still there, no state is there that no file ever had, and none is there twice.
 */
export async function checkSound(
  path: string,
  home: ChangingHome,
  others: readonly ChangingHome[] = [],
): Promise<void> {
  const verified = await ended(start(["archive", "verify", "--json", "--archive", path]));
  expect(verified).toMatchObject({ code: 0, err: "" });
  expect(JSON.parse(verified.out)).toMatchObject({ problems: [] });
  expect(rowsOf(path, "PRAGMA integrity_check")).toEqual([{ integrity_check: "ok" }]);
  const kept = await keptStates(path);
  expect(lostFiles(kept, home), "states that were kept and are lost").toEqual([]);
  const strange = [...kept].flatMap(([file, states]) => {
    const isKnown = (state: string): boolean =>
      [home, ...others].some((each) => each.wasSo(file, state));
    return states.filter((state) => !isKnown(state)).map(() => file);
  });
  expect(strange, "states that no file ever had").toEqual([]);
  const double = [...kept].filter(([, states]) => states.some((each, n) => each === states[n - 1]));
  expect(double, "states that are kept twice").toEqual([]);
  for (const [file, states] of kept) {
    for (const state of states) if (home.wasSo(file, state)) home.keep(file, state);
  }
}

/** Paths of files that have lost a kept state. */
export function lostFiles(
  kept: ReadonlyMap<string, readonly string[]>,
  home: ChangingHome,
): string[] {
  return [...home.truth].flatMap(([file, states]) => {
    return [...states].some((state) => kept.get(file)?.includes(state) !== true) ? [file] : [];
  });
}

/** Digests of all kept states, oldest first, by path. */
export async function keptStates(path: string): Promise<Map<string, string[]>> {
  const store = await openSqliteStore(path, { reader: READER_VERSION });
  try {
    const files = await store.known({});
    expect(new Set(files.map((file) => file.path)).size).toBe(files.length);
    const states = files.map(async (file) => [file.path, await statesOf(store, file)] as const);
    return new Map(await Promise.all(states));
  } finally {
    await store.close();
  }
}

async function statesOf(store: Store, file: KnownFile): Promise<string[]> {
  const versions = await store.versions(file.id);
  const digests = new Map<number, string>();
  for (const content of new Set(versions.map((version) => version.content))) {
    const its = versions.filter((version) => version.content === content);
    const last = its.toSorted((a, b) => a.sizeBytes - b.sizeBytes).at(-1) ?? file;
    const bytes = await store.bytes({ ...file, ...last });
    for (const [id, digest] of digestsOf(bytes, its)) digests.set(id, digest);
  }
  return versions.map(({ id }) => digests.get(id) ?? "");
}

/** Versions of one stream share their beginning, so one pass computes all digests. */
function digestsOf(
  bytes: ByteSource,
  versions: readonly Version[],
): [id: number, digest: string][] {
  const hash = createHash("sha256");
  let from = 0;
  return versions
    .toSorted((a, b) => a.sizeBytes - b.sizeBytes)
    .map((version) => {
      hash.update(bytes.range(from, version.sizeBytes));
      from = version.sizeBytes;
      return [version.id, hash.copy().digest("hex")];
    });
}

/**
 * Checks after a completed run: every kept session is listed, every reply in any of its states is
 * counted once, and all else equals the answers from the disk.
 */
export async function checkAnswers(path: string, home: ChangingHome): Promise<void> {
  const kept = open({ roots: [home.root], environment, archive: path, refresh: "none" });
  const paid = home.paidIn([...(await keptStates(path)).values()].flat());
  const { rows } = await kept.usage({ by: ["session"] });
  const actual = rows.map(({ key, requests, tokens }) => {
    return [key, [requests, tokens.input, tokens.output]] as const;
  });
  const truth = [...paid].filter(([, replies]) => replies.size > 0);
  expect(new Map(actual)).toEqual(new Map(truth.map(([id, replies]) => [id, figuresOf(replies)])));
  const { sessions } = await kept.sessions();
  expect(sessions.map(({ id }) => id).toSorted()).toEqual([...paid.keys()].toSorted());
  await checkAgainstDisk(sessions, home);
  await kept.close();
  await checkRows(path);
}

function figuresOf(replies: ReadonlySet<number>): [count: number, input: number, output: number] {
  const tokens = [...replies].map(tokensOf);
  const input = tokens.reduce((sum, each) => sum + each.input, 0);
  const output = tokens.reduce((sum, each) => sum + each.output, 0);
  return [replies.size, input, output];
}

/** A session without replaced or deleted files equals the one read from the disk. */
async function checkAgainstDisk(
  sessions: readonly SessionSummary[],
  home: ChangingHome,
): Promise<void> {
  const library = open({ roots: [home.root], environment });
  const listed = await library.sessions();
  await library.close();
  const fresh = new Map(listed.sessions.map((session) => [session.id, session]));
  const same = sessions.filter(({ id, files }) => {
    return JSON.stringify(files) === JSON.stringify(fresh.get(id)?.files);
  });
  expect(same.length).toBeGreaterThan(0);
  expect(same).toEqual(same.map(({ id }) => fresh.get(id)));
}

const OF_SESSION = "JOIN sessions AS s ON s.key = session";
const DUMPS = [
  `SELECT s.id, s.status, s.parent, s.tokens, s.own_usage, s.is_indexed, summary, facts
    FROM session_details ${OF_SESSION} ORDER BY s.id`,
  `SELECT s.id, position, reply, time_ms, model, total, is_owner FROM replies ${OF_SESSION}
    ORDER BY s.id, position`,
  `SELECT s.id, quarter, model, standing, requests, total FROM buckets ${OF_SESSION}
    ORDER BY s.id, quarter, model, standing`,
  `SELECT s.id, position, time_ms, outcome, is_owner FROM tool_calls ${OF_SESSION}
    ORDER BY s.id, position`,
] as const;
const SEARCHES = ["answer*", "w1*", "answer2 OR w17"] as const;

/** The rows equal those rebuilt from the kept bytes: none missing, none extra. */
async function checkRows(path: string): Promise<void> {
  const copy = path.replace(/\.db$/, "-copy.db");
  rowsOf(path, "PRAGMA wal_checkpoint(TRUNCATE)");
  copyFileSync(path, copy);
  const library = open({ archive: copy, refresh: "none", environment });
  await library.archive.rebuild();
  await library.close();
  for (const sql of DUMPS) expect(rowsOf(path, sql), sql).toEqual(rowsOf(copy, sql));
  for (const words of SEARCHES) {
    expect(await foundIn(path, words), words).toEqual(await foundIn(copy, words));
  }
  for (const file of [copy, textsPath(copy)]) {
    for (const end of ["", "-wal", "-shm"]) rmSync(`${file}${end}`, { force: true });
  }
}

/** Hits of a search, one line each, sorted. */
async function foundIn(archive: string, words: string): Promise<string[]> {
  const library = open({ archive, refresh: "none", environment });
  const { hits } = await library.search(words, { filter: { limit: 1000 } });
  await library.close();
  expect(hits.length).toBeGreaterThan(0);
  return hits
    .map(({ sessionId, messageId, role, standing, at }) => {
      return [sessionId, messageId, role, standing, at].join(" ");
    })
    .toSorted();
}

function rowsOf(path: string, sql: string): unknown[] {
  const database = new DatabaseSync(path);
  try {
    return database.prepare(sql).all();
  } finally {
    database.close();
  }
}
