import { describe, expect, test } from "vitest";
import type { CrashCount } from "../store/crash.ts";
import { crashLoop, hitsOf, SIZES } from "../store/crash.ts";
import { crashCompact, crashForget, crashImport, crashRebuild } from "../store/crash-care.ts";
import { interruptKeep, STOPPED } from "../store/interrupt.ts";
import { folder } from "../store/places.ts";
import { PHASES } from "../store/traced.ts";

/** So many processes are killed at work, and at least so many of them in each phase. */
const HITS = { small: 76, large: 24, restless: 400 };
const OF_EACH = 5;
const OF_OTHERS = 30;

test(
  "500 kills of keep at work lose nothing, double nothing and make nothing up",
  { timeout: 7_200_000 },
  async () => {
    const counts: CrashCount[] = [];
    for (const [seed, home] of (["small", "large", "restless"] as const).entries()) {
      const count = await crashLoop(folder(), { hits: HITS[home], seed: seed + 1, home });
      console.log(`${home}: ${told(count)}`);
      counts.push(count);
    }
    const sum = (number: (count: CrashCount) => number): number =>
      counts.reduce((all, count) => all + number(count), 0);
    expect(sum(hitsOf)).toBe(500);
    for (const phase of PHASES) {
      expect(
        sum(({ hits }) => hits[phase]),
        phase,
      ).toBeGreaterThanOrEqual(OF_EACH);
    }
    expect(sum(({ inTransaction }) => inTransaction)).toBeGreaterThanOrEqual(OF_EACH);
  },
);

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
