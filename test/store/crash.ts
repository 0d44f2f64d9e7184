import { join } from "node:path";
import { expect } from "vitest";
import type { HomeSize } from "./changing-home.ts";
import { ChangingHome } from "./changing-home.ts";
import type { Aim, Phase, Traced } from "./traced.ts";
import { killed, PHASES } from "./traced.ts";
import { checkAnswers, checkSound } from "./truth.ts";

export interface CrashWish {
  /** How many processes are to be killed at work. */
  hits: number;
  seed: number;
  /** `large`: all of it changes every time, so that two threads share the work. */
  home: "small" | "large";
}

export interface CrashCount {
  tries: number;
  /** Killed at work, by how far they had come; the others were quicker than their killer. */
  hits: Record<Phase, number>;
  /** Of those, with a transaction that was not ended. */
  inTransaction: number;
}

export const SIZES: Record<CrashWish["home"], HomeSize> = {
  small: { sessions: 36, sessionBytes: 40_000 },
  large: { sessions: 64, sessionBytes: 860_000 },
};

/** After so many tries a keep is left to its end, and its answers are compared. */
const ROUND = 8;

/**
 * Kills `keep` at random moments of its life while the home changes. After each kill the archive
 * must be sound and hold every state that was ever kept; after each completed look nothing is
 * double, and the answers are those of the disk.
 */
export async function crashLoop(folder: string, wish: CrashWish): Promise<CrashCount> {
  const count: CrashCount = { tries: 0, hits: noHits(), inTransaction: 0 };
  const lives = new Lives();
  const home = new ChangingHome(folder, wish.seed, SIZES[wish.home]);
  const path = join(folder, "archive.db");
  const args = ["keep", "--quiet", "--root", home.root, "--archive", path];
  const most = wish.hits * 4 + 20;
  while (hitsOf(count) < wish.hits) {
    expect((count.tries += 1), "tries; too few of them hit").toBeLessThan(most);
    const told = await killed(args, aimOf(home, wish, { count, lives }));
    countHit(count, told);
    if (told.signal === null) {
      expect(told).toMatchObject({ code: 0, err: "" });
      lives.add(told.lifeMs);
      home.seen();
    }
    await checkSound(path, home);
    if (count.tries % ROUND === 0) await complete(args, { path, home, lives });
    if (wish.home === "large") home.growAll();
    else home.change();
  }
  await complete(args, { path, home, lives });
  return count;
}

async function complete(
  args: readonly string[],
  told: { path: string; home: ChangingHome; lives: Lives },
): Promise<void> {
  const { path, home, lives } = told;
  const done = await killed(args);
  expect(done).toMatchObject({ code: 0, err: "" });
  lives.add(done.lifeMs);
  home.seen();
  await checkSound(path, home);
  await checkAnswers(path, home);
}

/** How long the last ones lived that were not killed; a guess, before there is one. */
export class Lives {
  #last = [400];

  add(ms: number): void {
    this.#last = [...this.#last, ms].slice(-3);
  }

  get longest(): number {
    return Math.max(...this.#last);
  }
}

/** Every second one at any moment of a life; the others soon after the phase that was hit least. */
function aimOf(
  home: ChangingHome,
  wish: CrashWish,
  { count, lives }: { count: CrashCount; lives: Lives },
): Aim {
  const share = home.next(1000) / 1000;
  if (count.tries % 2 === 0) return { phase: "opening", afterMs: share * lives.longest };
  const possible = PHASES.filter((phase) => wish.home === "large" || phase !== "two threads");
  const [least = "opening"] = possible.toSorted((a, b) => count.hits[a] - count.hits[b]);
  // Mostly at once: the words of a small home are in the index within a few milliseconds.
  return { phase: least, afterMs: (share ** 3 * lives.longest) / 20 };
}

function countHit(count: CrashCount, told: Traced): void {
  if (told.signal !== "SIGKILL" || told.phase === undefined) return;
  count.hits[told.phase] += 1;
  if (told.isInTransaction) count.inTransaction += 1;
}

export function hitsOf({ hits }: CrashCount): number {
  return Object.values(hits).reduce((sum, one) => sum + one, 0);
}

function noHits(): CrashCount["hits"] {
  return { opening: 0, "taking in": 0, "two threads": 0, "text index": 0, closing: 0 };
}
