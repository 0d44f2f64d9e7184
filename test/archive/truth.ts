import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { expect } from "vitest";
import type { Archive } from "../../src/archive/archive.ts";
import { openArchive } from "../../src/archive/sqlite/archive.ts";
import type { Driver } from "../../src/archive/sqlite/driver.ts";
import { READER_VERSION } from "../../src/intake/reader-version.ts";
import type { Library } from "../../src/library.ts";
import { open } from "../../src/library.ts";
import type { KeptFile, KeptVersion } from "../../src/model/kept.ts";
import type { ChangingHome } from "./changing-home.ts";
import { ended, start } from "./program.ts";

const { DatabaseSync } = createRequire(import.meta.url)("@photostructure/sqlite") as Driver;
const surroundings = { homeDir: "/home/ada", env: {} };

/**
 * Whatever happened to the last process: the file is sound, every kept byte has its digest, every
 * state that was ever kept is still there, and none is there that no file ever had, or twice.
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
  const kept = keptStates(path);
  expect(lostOf(kept, home), "states that were kept and are lost").toEqual([]);
  const strange = [...kept].flatMap(([file, states]) => {
    const isKnown = (state: string): boolean =>
      [home, ...others].some((one) => one.wasSo(file, state));
    return states.filter((state) => !isKnown(state)).map(() => file);
  });
  expect(strange, "states that no file ever had").toEqual([]);
  const double = [...kept].filter(([, states]) => states.some((one, n) => one === states[n - 1]));
  expect(double, "states that are kept twice").toEqual([]);
  for (const [file, states] of kept) {
    for (const state of states) if (home.wasSo(file, state)) home.keep(file, state);
  }
}

/** Paths of files of which a state that was once kept is not there. */
export function lostOf(kept: ReadonlyMap<string, readonly string[]>, home: ChangingHome): string[] {
  return [...home.truth].flatMap(([file, states]) => {
    return [...states].some((state) => kept.get(file)?.includes(state) !== true) ? [file] : [];
  });
}

/** By path: digests of all kept states, oldest first. */
export function keptStates(path: string): Map<string, string[]> {
  const archive = openArchive(path, READER_VERSION);
  try {
    const files = archive.files.roots().flatMap((root) => archive.files.files(root));
    expect(new Set(files.map((file) => file.path)).size).toBe(files.length);
    return new Map(files.map((file) => [file.path, statesOf(archive, file)]));
  } finally {
    archive.close();
  }
}

function statesOf(archive: Archive, file: KeptFile): string[] {
  const versions = archive.files.versions(file);
  const digests = new Map<number, string>();
  for (const stream of new Set(versions.map((version) => version.stream))) {
    const its = versions.filter((version) => version.stream === stream);
    for (const [id, digest] of digestsOf(archive, file, its)) digests.set(id, digest);
  }
  return versions.map(({ id }) => digests.get(id) ?? "");
}

/** Versions of one stream begin alike: one way through it is enough for all. */
function digestsOf(
  archive: Archive,
  file: KeptFile,
  versions: readonly KeptVersion[],
): [id: number, digest: string][] {
  const hash = createHash("sha256");
  let from = 0;
  return versions
    .toSorted((a, b) => a.sizeBytes - b.sizeBytes)
    .map((version) => {
      hash.update(archive.files.bytes({ ...file, ...version }).range(from, version.sizeBytes));
      from = version.sizeBytes;
      return [version.id, hash.copy().digest("hex")];
    });
}

/**
 * After a completed look: answers are those that a disk would give from which nothing was ever
 * deleted, without an archive; and no row is there twice.
 */
export async function checkAnswers(path: string, home: ChangingHome): Promise<void> {
  const kept = open({ roots: [home.root], surroundings, archive: path, refresh: "none" });
  const mirror = mirrorOf(path, home);
  const fresh = open({ roots: [mirror], surroundings });
  expect(await answersOf(kept)).toEqual(
    JSON.parse(JSON.stringify(await answersOf(fresh)).replaceAll(mirror, home.root)),
  );
  const gone = kept.sessions().sessions.filter(({ goneSince }) => goneSince !== null);
  const left = new Set(home.paths());
  expect(gone.flatMap(({ files }) => files.filter((file) => left.has(file.path)))).toEqual([]);
  kept.archive.close();
  rmSync(mirror, { recursive: true });
  checkRows(path);
}

async function answersOf(library: Library): Promise<object> {
  const { rows, totals } = await library.usage({ by: ["session"], sort: "key", timezone: "UTC" });
  const { sessions, promptLogs } = library.sessions();
  return {
    rows,
    totals,
    promptLogs,
    sessions: sessions.map((one) => ({ ...one, goneSince: null })),
  };
}

/** What the disk would hold if nothing had ever been deleted from it: from our own memory. */
function mirrorOf(path: string, home: ChangingHome): string {
  const folder = join(dirname(home.root), "mirror", ".gemini");
  for (const [file, states] of keptStates(path)) {
    const copy = join(folder, relative(home.root, file));
    mkdirSync(dirname(copy), { recursive: true });
    writeFileSync(copy, home.bytesOf(file, states.at(-1) ?? ""));
  }
  return folder;
}

const DUMPS = [
  "SELECT id, scope, has_text, project, summary, rest, agent_calls FROM sessions ORDER BY id",
  "SELECT id, facts FROM usage_facts JOIN sessions ON key = session ORDER BY id",
  "SELECT id, facts FROM tool_facts JOIN sessions ON key = session ORDER BY id",
  "SELECT number, id FROM replies JOIN sessions ON key = session ORDER BY number, id",
  "SELECT file, size_bytes, stream, session, format, is_read FROM readings ORDER BY file",
  `SELECT sessions.id, message, standing, at_ms, length, places, texts.id & 7 AS role
    FROM texts JOIN sessions ON key = session ORDER BY sessions.id, message, role, places`,
  "SELECT count(*) AS n FROM texts",
  "SELECT count(*) AS n FROM words_docsize",
  "SELECT count(*) AS n FROM usage_facts",
] as const;

/** The rows are those that are made from the kept bytes alone: none too many, none too few. */
function checkRows(path: string): void {
  const copy = `${path}.copy`;
  rowsOf(path, "PRAGMA wal_checkpoint(TRUNCATE)");
  copyFileSync(path, copy);
  const library = open({ archive: copy, refresh: "none", surroundings });
  library.archive.rebuild();
  library.archive.close();
  for (const sql of DUMPS) expect(rowsOf(path, sql), sql).toEqual(rowsOf(copy, sql));
  for (const end of ["", "-wal", "-shm"]) rmSync(`${copy}${end}`, { force: true });
}

function rowsOf(path: string, sql: string): unknown[] {
  const database = new DatabaseSync(path);
  try {
    return database.prepare(sql).all();
  } finally {
    database.close();
  }
}
