/**
 * Callers bring their own clock; without one, the machine's, as it is set now: what counts from the
 * start of the process stands still while the machine sleeps, and files would be of the future.
 */
export function machineClock(): number {
  return Date.now();
}
