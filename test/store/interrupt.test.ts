// @module-tag slow
import { describe, expect, test } from "vitest";
import { interruptKeep, STOPPED } from "./interrupt.ts";
import { folder } from "./temporary-archives.ts";
import { isBuilt } from "./program.ts";

const size = { sessions: 60, sessionBytes: 120_000 };

// A large home is in the long tests. Windows has no SIGINT to send.
describe.skipIf(!isBuilt || process.platform === "win32")("Ctrl-C (not on Windows)", () => {
  test.each(["opening", "taking in"] as const)("stops keep while %s", async (phase) => {
    expect(await interruptKeep(folder(), { phase, size })).toMatch(STOPPED);
  });
});
