import { mkdirSync, realpathSync, rmdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { codeOf, PolluxError } from "../../../core/error.ts";

/** A holder touches its lock every five seconds; an older lock was left by a crash. */
const STALE_MS = 10_000;
/** The same timeout and polling interval as in Gemini CLI. */
const WAIT_MS = 10_000;
const PAUSE_MS = 100;

export interface LockClock {
  nowMs: number;
  /** Waits between attempts; replaced in tests. */
  pause?: (ms: number) => void;
}

/**
 * Runs `work` while holding the registry's lock. Gemini CLI's lock is a folder beside the file,
 * `projects.json.lock`: the process that creates it owns it, and removes it when it is done.
 */
export function withRegistryLock<T>(file: string, clock: LockClock, work: () => T): T {
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
    throw new PolluxError("cannot-write", `${lock} could not be created.`, {
      remedy: "Check that the folder is writable and the disk is not full.",
      cause,
    });
  }
}

function release(lock: string): void {
  try {
    rmdirSync(lock);
  } catch (error) {
    // Another process took it for stale, or removed it first.
    if (codeOf(error) !== "ENOENT") throw error;
  }
}

/** The lock is beside the real file, even if the registry is a symbolic link. */
function realPath(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    // The registry does not exist yet.
    return file;
  }
}

function sleep(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
