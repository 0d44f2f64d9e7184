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
    return await Promise.race([work().then((result) => ({ result })), stopped]);
  } finally {
    process.off("SIGINT", stop);
  }
}
