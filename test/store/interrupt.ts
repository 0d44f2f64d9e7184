import { join } from "node:path";
import { expect } from "vitest";
import type { HomeSize } from "./changing-home.ts";
import { ChangingHome } from "./changing-home.ts";
import { ended, start } from "./program.ts";
import type { Phase } from "./traced.ts";
import { killed } from "./traced.ts";
import { checkAnswers, checkSound } from "./truth.ts";

export const STOPPED: RegExp =
  /^Stopped\. [\d,]+ of [\d,]+ files are archived; run `pollux keep` to continue\.\n$/;

const MOST_TRIES = 10;

/**
 * Sends SIGINT to `keep` soon after it has reached a phase; then another run completes the work.
 */
export async function interruptKeep(
  folder: string,
  what: { phase: Phase; size: HomeSize },
): Promise<string> {
  const home = new ChangingHome(folder, 31, what.size);
  const path = join(folder, "archive.db");
  const args = ["keep", "--root", home.root, "--archive", path];
  const aim = { phase: what.phase, afterMs: home.next(10), signal: "SIGINT" } as const;
  let result = await killed(args, aim);
  // On a busy machine the signal may come after the end: then add work and try again.
  for (let time = 0; result.code === 0 && time < MOST_TRIES; time += 1) {
    home.growAll();
    result = await killed(args, aim);
  }
  // Sessions at risk are printed before the work begins; nothing is reported as kept.
  expect(result).toMatchObject({ code: 130, signal: null });
  expect(result.out).not.toContain("Archive:");
  const [, kept = ""] = /^Stopped\. ([\d,]+) of/.exec(result.err) ?? [];
  await checkSound(path, home);
  // Files written a moment ago are read again by the next run: they may not count yet.
  expect(Number(kept)).toBeLessThanOrEqual(home.truth.size);
  expect(await ended(start(args))).toMatchObject({ code: 0, err: "" });
  home.seen();
  await checkSound(path, home);
  await checkAnswers(path, home);
  return result.err;
}
