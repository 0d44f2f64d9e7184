import { describe, expect, test } from "vitest";
import type { CrashCount } from "../store/crash.ts";
import { crashLoop, hitsOf, SIZES } from "../store/crash.ts";
import { crashCompact, crashForget, crashImport, crashRebuild } from "../store/crash-care.ts";
import { interruptKeep, STOPPED } from "../store/interrupt.ts";
import { folder } from "../store/temporary-archives.ts";
import { PHASES } from "../store/traced.ts";

/**
 * Number of kills that must hit a working process, per part; `OF_EACH` is the minimum per phase.
 */
const STILL = [
  { home: "small", hits: 76 },
  { home: "large", hits: 24 },
] as const;
/** Many short runs instead of one long run: a large archive makes each refresh slow. */
const RESTLESS = Array.from({ length: 25 }, () => ({ home: "restless", hits: 20 }) as const);
const OF_EACH = 5;
const OF_OTHERS = 30;

describe("killing keep while it works loses, duplicates and invents nothing", () => {
  const counts: CrashCount[] = [];
  const parts = [...STILL, ...RESTLESS].map((part, seed) => ({ ...part, seed: seed + 1 }));

  test.each(parts)(
    "part $seed: $hits of a $home home",
    { timeout: 3_600_000 },
    async ({ home, hits, seed }) => {
      const count = await crashLoop(folder(), { hits, seed, home });
      console.log(`part ${seed}, ${home}: ${described(count)}`);
      expect(hitsOf(count)).toBe(hits);
      counts.push(count);
    },
  );

  test("the kills hit every phase", ({ skip }) => {
    if (counts.length < parts.length) skip("a part of them was run by name");
    const sum = (number: (count: CrashCount) => number): number =>
      counts.reduce((all, count) => all + number(count), 0);
    for (const phase of PHASES) {
      expect(
        sum(({ hits }) => hits[phase]),
        phase,
      ).toBeGreaterThanOrEqual(OF_EACH);
    }
    expect(sum(({ inTransaction }) => inTransaction)).toBeGreaterThanOrEqual(OF_EACH);
  });
});

describe("killing other commands that write", () => {
  test.each([
    ["rebuild", crashRebuild],
    ["compact", crashCompact],
    ["import", crashImport],
    ["forget", crashForget],
  ])("%s loses nothing", async (_, loop) => {
    expect(await loop(folder(), OF_OTHERS)).toBe(OF_OTHERS);
  });
});

test("Ctrl-C stops keep in a large home", async () => {
  for (let time = 0; time < 5; time += 1) {
    const ended = await interruptKeep(folder(), { phase: "taking in", size: SIZES.large });
    expect(ended).toMatch(STOPPED);
  }
});

function described(count: CrashCount): string {
  const phases = PHASES.map((phase) => `${phase} ${count.hits[phase]}`).join(", ");
  const hits = `${hitsOf(count)} of ${count.tries} tries hit: ${phases}`;
  return `${hits}; ${count.inTransaction} of them inside of a transaction`;
}
