/** Callers bring their own clock; without one, the machine's. */
export function machineClock(): number {
  return performance.timeOrigin + performance.now();
}
