import { runInNewContext } from "node:vm";

/**
 * Does long work that Control-C stops at once; then there is no result. The work waits for nothing,
 * so that no signal would be heard before its end: a thread of Node's own has to listen. What is
 * stopped is stopped anywhere, as if by a kill; only the rest of the program goes on.
 */
export function interruptible<T>(work: () => T): { result: T } | undefined {
  let result: T | undefined;
  try {
    const options = { breakOnSigint: true, displayErrors: false };
    runInNewContext("work()", { work: () => void (result = work()) }, options);
    return { result: result as T };
  } catch (error) {
    if (isInterruption(error)) return undefined;
    throw error;
  }
}

/** The error is one of the other context: not an instance of our own class. */
function isInterruption(error: unknown): boolean {
  if (typeof error !== "object" || error === null || !("code" in error)) return false;
  return error.code === "ERR_SCRIPT_EXECUTION_INTERRUPTED";
}
