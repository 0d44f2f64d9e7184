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
  /** Peak resident memory. */
  peakBytes: number;
}

/** Runs the built program in its own process and measures its memory. */
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

/** Prints a figure: measurements are part of the result of the long tests. */
export function printFigure(what: string, bytes: number): void {
  console.log(`${what}: ${(bytes / MB).toFixed(0)} MB`);
}

export function printLine(line: string): void {
  process.stderr.write(`${line}\n`);
}
