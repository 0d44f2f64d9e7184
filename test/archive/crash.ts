import { join } from "node:path";
import { expect } from "vitest";
import type { Archive } from "../../src/archive/archive.ts";
import { openArchive } from "../../src/archive/sqlite/archive.ts";
import { READER_VERSION } from "../../src/intake/reader-version.ts";
import { open } from "../../src/library.ts";
import { ChangingHome, digestOf } from "./changing-home.ts";
import { ended, start } from "./program.ts";

export interface CrashCount {
  kills: number;
  /** Killed before they were done; the others were quicker than their killer. */
  hits: number;
  states: number;
}

/**
 * Kills `keep` at random moments while the home changes. After each kill the archive must be sound
 * and hold every state that a completed look has seen; after each completed look nothing is double
 * and the answers are those of the disk.
 */
export async function crashLoop(
  folder: string,
  wish: { kills: number; seed: number },
): Promise<CrashCount> {
  const home = new ChangingHome(folder, wish.seed);
  const path = join(folder, "archive.db");
  const args = ["keep", "--quiet", "--root", home.root, "--archive", path];
  const count: CrashCount = { kills: 0, hits: 0, states: 0 };
  expect(await ended(start(args))).toMatchObject({ code: 0 });
  home.seen();
  while (count.kills < wish.kills) {
    home.change();
    const child = start(args);
    const end = ended(child);
    // A start takes about a tenth of a second; keeping begins after it.
    const timer = setTimeout(() => child.kill("SIGKILL"), 60 + home.next(340));
    const { signal } = await end;
    clearTimeout(timer);
    count.kills += 1;
    if (signal === "SIGKILL") count.hits += 1;
    checkSound(path, home);
    if (count.kills % 5 !== 0) continue;
    expect(await ended(start(args))).toMatchObject({ code: 0, err: "" });
    home.seen();
    checkSound(path, home);
    checkAnswers(path, home);
  }
  count.states = [...home.truth.values()].reduce((sum, states) => sum + states.size, 0);
  return count;
}

function checkSound(path: string, home: ChangingHome): void {
  const archive = openArchive(path, READER_VERSION);
  try {
    expect(archive.care.verify(() => undefined).problems).toEqual([]);
    const lost = [...home.truth].flatMap(([file, states]) => {
      const kept = keptStates(archive, file);
      return [...states].filter((state) => !kept.includes(state)).map(() => file);
    });
    expect(lost).toEqual([]);
  } finally {
    archive.close();
  }
}

function keptStates(archive: Archive, path: string): string[] {
  const files = archive.files.roots().flatMap((root) => archive.files.files(root));
  const file = files.find((one) => one.path === path);
  if (!file) return [];
  return archive.files.versions(file).map((version) => {
    const bytes = archive.files.bytes({ ...file, ...version });
    return digestOf(Buffer.concat([...bytes.chunks()].map((one) => Buffer.from(one))));
  });
}

/** No state twice in a row, no file twice, no session twice; and the rows are those of the disk. */
function checkAnswers(path: string, home: ChangingHome): void {
  const archive = openArchive(path, READER_VERSION);
  const files = archive.files.roots().flatMap((root) => archive.files.files(root));
  expect(new Set(files.map((file) => file.path)).size).toBe(files.length);
  for (const file of files) {
    const states = keptStates(archive, file.path);
    expect(states.filter((state, n) => state === states[n - 1])).toEqual([]);
  }
  archive.close();
  const surroundings = { homeDir: "/home/ada", env: {} };
  const wish = { roots: [home.root], surroundings };
  const kept = open({ ...wish, archive: path, refresh: "none" });
  const fresh = open({ ...wish, refresh: "fresh" }).sessions().sessions;
  const there = kept.sessions().sessions.filter(({ goneSince }) => goneSince === null);
  expect(there).toEqual(fresh);
  kept.archive.close();
}
