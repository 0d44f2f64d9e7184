import { join } from "node:path";
import { expect } from "vitest";
import type { HomeSize } from "./changing-home.ts";
import { ChangingHome } from "./changing-home.ts";
import { RestlessHome } from "./restless-home.ts";
import type { Aim, Phase, Traced } from "./traced.ts";
import { killed, PHASES } from "./traced.ts";
import { checkAnswers, checkSound } from "./truth.ts";

export interface CrashOptions {
  /** How many kills must hit a working process. */
  hits: number;
  seed: number;
  /**
   * `large`: all files change every time, so that several threads share the work. `restless`: files
   * change while they are read.
   */
  home: "small" | "large" | "restless";
}

export interface CrashCount {
  tries: number;
  /** Kills that hit a working process, by phase; the other processes ended before their kill. */
  hits: Record<Phase, number>;
  /** Kills that hit an open transaction. */
  inTransaction: number;
}

export const SIZES: Record<CrashOptions["home"], HomeSize> = {
  small: { sessions: 36, sessionBytes: 40_000 },
  large: { sessions: 64, sessionBytes: 860_000 },
  restless: { sessions: 24, sessionBytes: 60_000 },
};

/** Interval between changes during a run. */
const STIR_MS = 2;

/** After this many tries a keep runs to its end, and its answers are compared. */
const ROUND = 8;

/**
 * Kills `keep` at random moments while the home changes. After each kill the archive must be sound
 * and contain every state that was ever kept; after each completed run nothing is duplicated, and
 * the answers equal those from the disk.
 */
export async function crashLoop(folder: string, options: CrashOptions): Promise<CrashCount> {
  const count: CrashCount = { tries: 0, hits: noHits(), inTransaction: 0 };
  const lives = new Lives();
  const size = SIZES[options.home];
  const restless = options.home === "restless" && new RestlessHome(folder, options.seed, size);
  const home = restless || new ChangingHome(folder, options.seed, size);
  const path = join(folder, "archive.db");
  const args = ["keep", "--quiet", "--root", home.root, "--archive", path];
  const most = options.hits * 4 + 20;
  while (hitsOf(count) < options.hits) {
    expect((count.tries += 1), "tries; too few of them hit").toBeLessThan(most);
    const unrest = restless && setInterval(() => restless.stir(), STIR_MS);
    const traced = await killed(args, aimOf(home, { count, lives }));
    clearInterval(unrest || undefined);
    countHit(count, traced);
    if (traced.signal === null) {
      expect(traced).toMatchObject(restless ? { code: 0 } : { code: 0, err: "" });
      lives.add(traced.lifeMs);
      if (!restless) home.seen();
    }
    await checkSound(path, home);
    if (count.tries % ROUND === 0) await complete(args, { path, home, lives });
    if (options.home === "large") home.growAll();
    else if (!restless) home.change();
  }
  await complete(args, { path, home, lives });
  return count;
}

async function complete(
  args: readonly string[],
  { path, home, lives }: { path: string; home: ChangingHome; lives: Lives },
): Promise<void> {
  const done = await killed(args);
  expect(done).toMatchObject({ code: 0, err: "" });
  lives.add(done.lifeMs);
  home.seen();
  await checkSound(path, home);
  await checkAnswers(path, home);
}

/** Durations of the last complete runs; a guess before the first. */
export class Lives {
  #last = [400];

  add(ms: number): void {
    this.#last = [...this.#last, ms].slice(-3);
  }

  get longest(): number {
    return Math.max(...this.#last);
  }
}

/** Every second kill is at any moment; the others soon after the start of the least-hit phase. */
function aimOf(home: ChangingHome, { count, lives }: { count: CrashCount; lives: Lives }): Aim {
  const share = home.next(1000) / 1000;
  if (count.tries % 2 === 0) return { phase: "opening", afterMs: share * lives.longest };
  const [least = "opening"] = PHASES.toSorted((a, b) => count.hits[a] - count.hits[b]);
  // Mostly at once: a small home's texts are indexed within a few milliseconds.
  return { phase: least, afterMs: (share ** 3 * lives.longest) / 20 };
}

function countHit(count: CrashCount, { signal, phase, isInTransaction }: Traced): void {
  if (signal !== "SIGKILL" || phase === undefined) return;
  count.hits[phase] += 1;
  if (isInTransaction) count.inTransaction += 1;
}

export function hitsOf({ hits }: CrashCount): number {
  return Object.values(hits).reduce((sum, count) => sum + count, 0);
}

function noHits(): CrashCount["hits"] {
  return { opening: 0, "taking in": 0, "text index": 0, closing: 0 };
}
