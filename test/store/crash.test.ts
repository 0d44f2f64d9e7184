// @module-tag slow
import { describe, expect, test } from "vitest";
import { crashLoop, hitsOf } from "./crash.ts";
import { folder } from "./temporary-archives.ts";
import { isBuilt } from "./program.ts";

// The long tests make 500 kills, also with a large home and other commands.
describe.skipIf(!isBuilt)("killed at any moment", () => {
  test("keep leaves a sound archive and loses nothing", { timeout: 120_000 }, async () => {
    const count = await crashLoop(folder(), { hits: 15, seed: 20_260_210, home: "small" });
    expect(hitsOf(count)).toBe(15);
    for (const [phase, number] of Object.entries(count.hits))
      expect(number, phase).toBeGreaterThan(0);
  });

  test(
    "keep leaves a sound archive while files change during the reading",
    { timeout: 120_000 },
    async () => {
      const count = await crashLoop(folder(), { hits: 6, seed: 7, home: "restless" });
      expect(hitsOf(count)).toBe(6);
    },
  );
});
