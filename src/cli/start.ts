import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";
import { loadCompiled } from "./compile-cache.ts";
import type * as Program from "./main.ts";

// The built program; this file is in the same folder.
const PROGRAM = fileURLToPath(new URL("main.cjs", import.meta.url));

/** Loads the program and runs it. */
export async function startProgram(): Promise<void> {
  // Most runs are short: do not grow the young generation, and limit inlining, to save time.
  const keepYoungSmall = (): void => setFlagsFromString("--semi-space-growth-factor=1");
  keepYoungSmall();
  // The start of a thread resets it, for all threads.
  process.on("worker", (thread) => void thread.once("online", keepYoungSmall));
  setFlagsFromString("--max-inlined-bytecode-size-cumulative=100");
  // By itself, V8 lets the heap of each thread grow to four times of what is in use.
  setFlagsFromString("--heap-growing-percent=100");
  const { start } = loadCompiled(PROGRAM, process.argv.slice(2)) as typeof Program;
  await start();
}
