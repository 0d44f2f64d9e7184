import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Reading a file of this size would otherwise take more memory than the file is worth. */
export const LARGE_BYTES: number = 64 * 1024 * 1024;

/** Gives back what is no longer used, before much is asked for again; slow: for large files. */
export function sweepMemory(): void {
  // Not told how, every Node sweeps everything. Node 20 knows no `major`: it takes whatever it is
  // taken for a request to sweep only what was made lately.
  collect()();
}

/** Gives back all that can be, also what would only make the next work quicker. */
export function sweepAllMemory(): void {
  collect()({ type: "major", flavor: "last-resort" });
  // Twice: pages that the first sweep emptied are given back by the second.
  sweepMemory();
  sweepMemory();
}

interface Sweep {
  type: "major" | "minor";
  flavor?: "last-resort";
}

type Collect = (how?: Sweep) => void;
let collector: Collect | undefined;

function collect(): Collect {
  return (collector ??= findCollector());
}

/** Only a new context has it. Made once: each takes a megabyte. */
function findCollector(): Collect {
  setFlagsFromString("--expose-gc");
  const found: unknown = runInNewContext("gc");
  return typeof found === "function" ? (found as Collect) : () => undefined;
}
