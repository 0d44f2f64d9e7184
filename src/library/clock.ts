/**
 * The default clock: the machine's wall clock. A monotonic clock stops while the machine sleeps,
 * and files would then seem to come from the future.
 */
export function machineClock(): number {
  return Date.now();
}
