import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const root = join(import.meta.dirname, "..", "..");
const peakFile = "peak";

export interface Run {
  stdout: string;
  stderr: string;
  /** Highest resident memory, in bytes. */
  peakBytes: number;
}

/** Runs the built program in a process of its own and measures its memory. */
export function runMeasured(args: readonly string[]): Run {
  const program = join(root, "dist", "pollux.js");
  if (!existsSync(program)) throw new Error("The program is not built: npm run build");
  const folder = mkdtempSync(join(tmpdir(), "pollux-peak-"));
  try {
    const preload = pathToFileURL(join(import.meta.dirname, "peak.mjs")).href;
    const env = { ...process.env, POLLUX_LONG_PEAK: join(folder, peakFile) };
    const run = spawnSync(process.execPath, ["--import", preload, program, ...args], {
      env,
      encoding: "utf8",
      maxBuffer: 1 << 30,
    });
    if (run.status !== 0) throw new Error(`It ended with ${run.status}: ${run.stderr}`);
    const peakBytes = Number(readFileSync(join(folder, peakFile), "utf8"));
    return { stdout: run.stdout, stderr: run.stderr, peakBytes };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export const MB: number = 1024 * 1024;

/** For the person who runs the long tests: figures are part of their result. */
export function tellFigure(what: string, bytes: number): void {
  console.log(`${what}: ${(bytes / MB).toFixed(0)} MB`);
}

export function tellLine(line: string): void {
  process.stderr.write(`${line}\n`);
}
