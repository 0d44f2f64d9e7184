import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { configureGlobal } from "fast-check";
import { afterAll, vi } from "vitest";
import { endFile } from "./end-of-file.ts";

// Quick files of tests share a process, one after the other: each has a home of its own, and what
// it changes in the surroundings is taken back.
const before = { ...process.env };
const folder = process.cwd();
const own = mkdtempSync(join(tmpdir(), "own-"));
const home = join(own, "home");
mkdirSync(home);
process.env["HOME"] = home;
process.env["USERPROFILE"] = home;

// Every run tries the same cases, so that it fails for a change and not by chance; the long tests
// look for new ones.
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
