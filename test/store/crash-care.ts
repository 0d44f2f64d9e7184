import { copyFileSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { ChangingHome } from "./changing-home.ts";
import { Lives } from "./crash.ts";
import type { Ended } from "./program.ts";
import { ended, start } from "./program.ts";
import { killed } from "./traced.ts";
import { checkAnswers, checkSound, keptStates, lostFiles } from "./truth.ts";

/** A command that is repeated until it was killed often enough. */
interface Loop {
  hits: number;
  home: ChangingHome;
  args: () => readonly string[];
  /** Prepares a try. */
  before: () => Promise<void>;
  /** Runs after a try, killed or not. */
  after: () => Promise<void>;
}

/** Kills a command at random moments. Returns how many kills hit it before its end. */
async function killLoop({ hits, home, args, before, after }: Loop): Promise<number> {
  const lives = new Lives();
  let count = 0;
  for (let tries = 0; count < hits; tries += 1) {
    expect(tries, "tries; too few of them hit").toBeLessThan(hits * 3 + 10);
    await before();
    // The first run is not killed: it measures the duration.
    const afterMs = (home.next(1000) / 1000) * lives.longest;
    const result = await killed(args(), tries === 0 ? undefined : { phase: "opening", afterMs });
    if (result.signal === "SIGKILL" && result.phase !== undefined) count += 1;
    if (result.signal === null) {
      expect(result).toMatchObject({ code: 0, err: "" });
      lives.add(result.lifeMs);
    }
    await after();
  }
  return count;
}

const SIZE = { sessions: 40, sessionBytes: 60_000 };

class Place {
  readonly home: ChangingHome;
  readonly folder: string;
  archive: string;
  #copies = 0;

  constructor(folder: string, seed: number) {
    mkdirSync(folder, { recursive: true });
    this.folder = folder;
    this.home = new ChangingHome(folder, seed, SIZE);
    this.archive = join(folder, "archive.db");
  }

  async run(...args: string[]): Promise<Ended> {
    const done = await ended(start([...args, "--archive", this.archive]));
    if (done.code === 0 && done.err === "") return done;
    throw new RangeError(`${args.join(" ")} failed: ${done.err}`);
  }

  /** Keeps several states of many files. */
  async keep(rounds: number): Promise<void> {
    for (let round = 0; round < rounds; round += 1) {
      this.home.change();
      await this.run("keep", "--quiet", "--root", this.home.root);
      this.home.seen();
    }
  }

  /** Continues with a copy of an archive, under a name that no process has open. */
  useCopy(from: string): Promise<void> {
    for (const end of ["", "-wal", "-shm"]) rmSync(`${this.archive}${end}`, { force: true });
    this.archive = join(this.folder, `copy-${(this.#copies += 1)}.db`);
    copyFileSync(from, this.archive);
    return Promise.resolve();
  }

  /** Copies the archive as it is. */
  copy(name: string): string {
    const path = join(this.folder, name);
    copyFileSync(this.archive, path);
    return path;
  }
}

/** Kills `rebuild`: missing rows must come back by themselves. */
export async function crashRebuild(folder: string, hits: number): Promise<number> {
  const place = new Place(folder, 11);
  const { home, archive } = place;
  let tries = 0;
  return killLoop({
    hits,
    home,
    args: () => ["rebuild", "--archive", archive],
    before: () => place.keep(1),
    async after() {
      await checkSound(archive, home);
      if ((tries += 1) % 5 !== 0) return;
      await place.keep(1);
      await checkAnswers(archive, home);
    },
  });
}

/** Kills `archive compact`: no byte may be lost while chunks are packed and joined. */
export async function crashCompact(folder: string, hits: number): Promise<number> {
  const place = new Place(folder, 12);
  const { home, archive } = place;
  let tries = 0;
  return killLoop({
    hits,
    home,
    args: () => ["archive", "compact", "--archive", archive],
    before: () => place.keep(2),
    async after() {
      await checkSound(archive, home);
      if ((tries += 1) % 5 !== 0) return;
      await place.run("archive", "compact");
      await checkSound(archive, home);
      await checkAnswers(archive, home);
    },
  });
}

/**
 * Kills `archive import`: all of the other archive is imported or nothing, and finally all, once.
 */
export async function crashImport(folder: string, hits: number): Promise<number> {
  const place = new Place(join(folder, "here"), 13);
  const there = new Place(join(folder, "there"), 14);
  await place.keep(3);
  await there.keep(4);
  const before = place.copy("before.db");
  const file = join(folder, "there.pollux");
  await there.run("archive", "export", file);
  const isIn = async (): Promise<boolean> =>
    lostFiles(await keptStates(place.archive), there.home).length === 0;
  const count = await killLoop({
    hits,
    home: place.home,
    args: () => ["archive", "import", file, "--archive", place.archive],
    before: () => place.useCopy(before),
    async after() {
      await checkSound(place.archive, place.home, [there.home]);
      const files = [...(await keptStates(place.archive)).keys()];
      const some = files.filter((path) => path.startsWith(there.home.root)).length;
      expect(await isIn()).toBe(some > 0);
      await place.run("archive", "import", file);
      expect(await isIn()).toBe(true);
      await checkSound(place.archive, place.home, [there.home]);
    },
  });
  const again = await place.run("archive", "import", file, "--json");
  expect(JSON.parse(again.out)).toMatchObject({ files: 0, versions: 0, chunks: 0, bytes: 0 });
  return count;
}

/** Kills `forget`: the chosen sessions are there in full or not at all; the rest always stays. */
export async function crashForget(folder: string, hits: number): Promise<number> {
  const place = new Place(folder, 15);
  const { home } = place;
  await place.keep(4);
  const before = place.copy("before.db");
  const ids = Array.from({ length: 12 }, (_, n) => String(n + 1).padStart(8, "0"));
  const isMeant = (path: string): boolean => ids.some((id) => path.includes(id));
  // A prompt log is removed when all of its sessions are forgotten.
  const isLog = (path: string): boolean => path.endsWith("logs.json");
  const command = ["forget", ...ids, "--yes", "--root", home.root];
  const check = async (): Promise<string[]> => {
    const verified = await place.run("archive", "verify", "--json");
    expect(JSON.parse(verified.out)).toMatchObject({ problems: [] });
    const lost = lostFiles(await keptStates(place.archive), home).filter((path) => !isLog(path));
    expect(lost.filter((path) => !isMeant(path))).toEqual([]);
    return lost;
  };
  const meant = [...home.truth.keys()].filter(isMeant);
  return killLoop({
    hits,
    home,
    args: () => [...command, "--archive", place.archive],
    before: () => place.useCopy(before),
    async after() {
      const isDone = (await check()).length > 0;
      const left = [...(await keptStates(place.archive)).keys()].filter(isMeant);
      expect(left).toHaveLength(isDone ? 0 : meant.length);
      if (!isDone) await place.run(...command);
      await place.run("keep", "--quiet", "--root", home.root);
      expect([...(await keptStates(place.archive)).keys()].filter(isMeant)).toEqual([]);
      expect(await check()).toHaveLength(meant.length);
    },
  });
}
