import { describe, expect, test } from "vitest";
import type { CrashCount } from "../store/crash.ts";
import { crashLoop, hitsOf, SIZES } from "../store/crash.ts";
import { crashCompact, crashForget, crashImport, crashRebuild } from "../store/crash-care.ts";
import { interruptKeep, STOPPED } from "../store/interrupt.ts";
import { folder } from "../store/places.ts";
import { PHASES } from "../store/traced.ts";

/** So many processes are killed at work, and at least so many of them in each phase. */
const HITS = { small: 176, large: 24 };
const OF_EACH = 5;
const OF_OTHERS = 30;

test("200 kills of keep at work lose nothing and double nothing", async () => {
  const small = await crashLoop(folder(), { hits: HITS.small, seed: 1, home: "small" });
  const large = await crashLoop(folder(), { hits: HITS.large, seed: 2, home: "large" });
  for (const count of [small, large]) console.log(told(count));
  expect(hitsOf(small) + hitsOf(large)).toBe(200);
  for (const phase of PHASES) {
    const hits = small.hits[phase] + large.hits[phase];
    expect(hits, phase).toBeGreaterThanOrEqual(OF_EACH);
  }
  expect(small.inTransaction + large.inTransaction).toBeGreaterThanOrEqual(OF_EACH);
});

describe("kills of what else writes", () => {
  test.each([
    ["rebuild", crashRebuild],
    ["compact", crashCompact],
    ["import", crashImport],
    ["forget", crashForget],
  ])("%s loses nothing", async (_, loop) => {
    expect(await loop(folder(), OF_OTHERS)).toBe(OF_OTHERS);
  });
});

test("Control-C stops the keeping of a large home", async () => {
  for (let time = 0; time < 5; time += 1) {
    const ended = await interruptKeep(folder(), { phase: "taking in", size: SIZES.large });
    expect(ended).toMatch(STOPPED);
  }
});

function told(count: CrashCount): string {
  const phases = PHASES.map((phase) => `${phase} ${count.hits[phase]}`).join(", ");
  const hits = `${hitsOf(count)} of ${count.tries} tries hit: ${phases}`;
  return `${hits}; ${count.inTransaction} of them inside of a transaction`;
}
