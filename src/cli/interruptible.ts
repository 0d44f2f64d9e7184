import { setImmediate as nextTurn } from "node:timers/promises";

/**
 * Waits for long work that Control-C ends; then there is no result. What was kept by then is safe;
 * what is under way ends with the process.
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

/** A signal that came while the thread was busy is heard within two turns: it comes first. */
async function whole<T>(work: () => Promise<T>): Promise<{ result: T }> {
  const result = await work();
  await nextTurn();
  await nextTurn();
  return { result };
}
