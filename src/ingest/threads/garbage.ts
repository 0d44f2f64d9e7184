import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Larger groups are read in outline or in parts, and memory is freed after them. */
export const LARGE_BYTES: number = 64 * 1024 * 1024;

/** Collects garbage before the next large allocation. Slow: only for large files. */
export function collectGarbage(): void {
  // Without arguments every Node runs a full collection. Node 20 does not know `type: "major"`:
  // with any argument it runs only a minor collection.
  collect()();
}

/** Frees all memory possible, including caches that would speed up later work. */
export function releaseMemory(): void {
  collect()({ type: "major", flavor: "last-resort" });
  // Twice: the second collection releases pages that the first one emptied.
  collectGarbage();
  collectGarbage();
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

/** Only a new context has `gc`. Created once: each context takes a megabyte. */
function findCollector(): Collect {
  setFlagsFromString("--expose-gc");
  const found: unknown = runInNewContext("gc");
  return typeof found === "function" ? (found as Collect) : () => undefined;
}
