import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Reading a file of this size would otherwise take more memory than the file is worth. */
export const LARGE_BYTES: number = 64 * 1024 * 1024;

/** From here on the heap is kept small, at the price of some speed; there is no way back. */
export function spareMemory(): void {
  setFlagsFromString("--optimize-for-size");
  // What is made and thrown away at once takes turns in two halves, which do not grow any more.
  setFlagsFromString("--semi-space-growth-factor=1");
}

/** Gives back what is no longer used, before much is asked for again; slow: for large files. */
export function sweepMemory(): void {
  sweep({ type: "major" });
}

/** Gives back all that can be, also what would only make the next work quicker. */
export function sweepAllMemory(): void {
  sweep({ type: "major", flavor: "last-resort" });
}

function sweep(how: { type: "major"; flavor?: "last-resort" }): void {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  if (typeof collect === "function") collect(how);
}
