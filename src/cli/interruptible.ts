import { setImmediate as nextTurn } from "node:timers/promises";

/**
 * Runs long work that Ctrl-C interrupts; then returns undefined. What was kept until then is safe;
 * unfinished work ends with the process.
 */
export async function interruptible<T>(work: () => Promise<T>): Promise<{ result: T } | undefined> {
  let stop = (): void => undefined;
  const stopped = new Promise<undefined>((resolve) => {
    stop = () => resolve(undefined);
  });
  process.once("SIGINT", stop);
  try {
    return await Promise.race([whole(work), stopped]);
  } finally {
    process.off("SIGINT", stop);
  }
}

/** Waits two turns of the event loop, so that a signal received while the thread was busy wins. */
async function whole<T>(work: () => Promise<T>): Promise<{ result: T }> {
  const result = await work();
  await nextTurn();
  await nextTurn();
  return { result };
}
