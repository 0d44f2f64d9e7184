import { mkdirSync, realpathSync, rmdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { PolluxError } from "../../../core/error.ts";
import { codeOf } from "../../folder-walk.ts";

/** A holder renews the time of its lock every five seconds; an older one was left by a crash. */
const STALE_MS = 10_000;
/** As long as Gemini CLI itself would wait, and as often as it looks. */
const WAIT_MS = 10_000;
const PAUSE_MS = 100;

export interface LockClock {
  nowMs: number;
  /** Waits; a test need not. */
  pause?: (ms: number) => void;
}

/**
 * Does something while nobody else changes the registry. Gemini CLI's lock is a folder beside the
 * file: `projects.json.lock`; whoever makes it has it, and removes it when it is done.
 */
export function whileLocked<T>(file: string, clock: LockClock, work: () => T): T {
  const lock = `${realPath(file)}.lock`;
  obtain(lock, clock);
  try {
    return work();
  } finally {
    release(lock);
  }
}

function obtain(lock: string, { nowMs, pause = sleep }: LockClock): void {
  for (let waitedMs = 0; waitedMs <= WAIT_MS; waitedMs += PAUSE_MS) {
    if (isMade(lock)) return;
    const madeMs = statSync(lock, { throwIfNoEntry: false })?.mtimeMs;
    const isStale = madeMs !== undefined && madeMs < nowMs + waitedMs - STALE_MS;
    if (isStale) release(lock);
    else pause(PAUSE_MS);
  }
  throw new PolluxError("registry-locked", "Gemini CLI is changing its list of projects.", {
    remedy: `Try again in a moment. If it is not running, remove the folder ${lock}.`,
  });
}

function isMade(lock: string): boolean {
  try {
    mkdirSync(dirname(lock), { recursive: true });
    mkdirSync(lock);
    return true;
  } catch (cause) {
    if (codeOf(cause) === "EEXIST") return false;
    throw new PolluxError("cannot-write", `${lock} could not be made.`, {
      remedy: "See that the folder can be written to and the disk is not full.",
      cause,
    });
  }
}

function release(lock: string): void {
  try {
    rmdirSync(lock);
  } catch (error) {
    // Somebody else took it for a stale one, or was quicker to remove it.
    if (codeOf(error) !== "ENOENT") throw error;
  }
}

/** The lock lies beside the file itself, wherever a link to it stands. */
function realPath(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    // There is no registry yet.
    return file;
  }
}

function sleep(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
