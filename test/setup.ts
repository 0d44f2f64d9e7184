import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { configureGlobal } from "fast-check";
import { afterAll, vi } from "vitest";
import { endFile } from "./end-of-file.ts";

// Fast test files run one after the other in a shared process: each gets a new home folder, and
// its changes to the environment are undone.
const before = { ...process.env };
const folder = process.cwd();
const own = mkdtempSync(join(tmpdir(), "own-"));
const home = join(own, "home");
mkdirSync(home);
process.env["HOME"] = home;
process.env["USERPROFILE"] = home;

// A fixed seed makes every run test the same cases, so that failures are reproducible; the long
// tests use random seeds.
if (process.env["POLLUX_LONG"] === undefined) configureGlobal({ seed: 20_261_116 });

afterAll(async () => {
  await endFile();
  vi.useRealTimers();
  vi.restoreAllMocks();
  process.chdir(folder);
  for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
  Object.assign(process.env, before);
  rmSync(own, { recursive: true, force: true });
});
