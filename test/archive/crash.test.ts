import { describe, expect, test } from "vitest";
import { crashLoop } from "./crash.ts";
import { folder } from "./places.ts";
import { isBuilt } from "./program.ts";

// A longer loop, of 250 kills, is among the long tests.
describe.skipIf(!isBuilt)("killed at any moment", () => {
  test("keep leaves a sound archive, and loses nothing", { timeout: 120_000 }, async () => {
    const count = await crashLoop(folder(), { kills: 25, seed: 20_260_210 });
    expect(count.kills).toBe(25);
    expect(count.hits).toBeGreaterThan(0);
  });
});
