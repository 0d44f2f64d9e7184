import type { ChildProcess } from "node:child_process";
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Ended } from "./program.ts";
import { ended, program } from "./program.ts";

const TRACE = pathToFileURL(join(import.meta.dirname, "trace.mjs")).href;

/** The phases of a run. */
export const PHASES = ["opening", "taking in", "text index", "closing"] as const;
export type Phase = (typeof PHASES)[number];

export interface Traced extends Ended {
  /** Undefined if the archive was not open yet. */
  phase: Phase | undefined;
  isInTransaction: boolean;
  /** Time since the archive was opened. */
  lifeMs: number;
}

/** When to kill: a time after the archive was opened or after a phase has begun. */
export interface Aim {
  phase: Phase;
  afterMs: number;
  /** Default: SIGKILL. */
  signal?: NodeJS.Signals;
}

/** Runs a command and kills it at the given moment, if it gets that far. */
export async function killed(args: readonly string[], aim?: Aim): Promise<Traced> {
  const child = startTraced(args);
  const end = ended(child);
  let letters = "";
  let openedMs: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  child.stdio[3]?.on("data", (data: Buffer) => {
    letters += data.toString();
    openedMs ??= performance.now();
    if (!aim || timer || !hasBegun(letters, aim.phase)) return;
    timer = setTimeout(() => child.kill(aim.signal ?? "SIGKILL"), aim.afterMs);
  });
  const done = await end;
  clearTimeout(timer);
  const lifeMs = openedMs === undefined ? 0 : performance.now() - openedMs;
  const isInTransaction = letters.lastIndexOf("(") > letters.lastIndexOf(")");
  return { ...done, phase: phaseOf(letters), isInTransaction, lifeMs };
}

function startTraced(args: readonly string[], env: Record<string, string> = {}): ChildProcess {
  return spawn(process.execPath, ["--import", TRACE, program, ...args], {
    stdio: ["ignore", "pipe", "pipe", "pipe"],
    env: { PATH: process.env["PATH"] ?? "", HOME: process.env["HOME"] ?? "", ...env },
  });
}

/** Runs commands that all start working when the last of them has opened the archive. */
export async function together(
  commands: readonly (readonly string[])[],
  gate: string,
): Promise<Ended[]> {
  const children = commands.map((args) => startTraced(args, { POLLUX_TEST_GATE: gate }));
  const ends = children.map(ended);
  const atGate = children.map((child) => {
    return new Promise<void>((resolve) => {
      child.stdio[3]?.once("data", () => resolve());
      // Without an archive, a reader ends before opening one.
      child.once("close", () => resolve());
    });
  });
  await Promise.all(atGate);
  writeFileSync(gate, "");
  return Promise.all(ends);
}

const LETTERS: Record<Phase, string> = {
  opening: "o",
  "taking in": "t",
  "text index": "x",
  closing: "e",
};

function hasBegun(letters: string, phase: Phase): boolean {
  return letters.includes(LETTERS[phase]);
}

/** The latest phase; undefined before the archive was opened. */
function phaseOf(letters: string): Phase | undefined {
  const begun = PHASES.filter((phase) => hasBegun(letters, phase));
  return begun.toSorted(
    (a, b) => letters.lastIndexOf(LETTERS[b]) - letters.lastIndexOf(LETTERS[a]),
  )[0];
}
