#!/usr/bin/env node
import { version } from "./version.ts";

// Keep startup minimal: the version needs neither parser nor library.
const [first, ...more] = process.argv.slice(2);
if ((first === "--version" || first === "-V") && more.length === 0) {
  process.stdout.write(`${version}\n`);
} else {
  // Most runs are short: do not grow the young generation, and limit inlining, to save time.
  const { setFlagsFromString } = await import("node:v8");
  const keepYoungSmall = (): void => setFlagsFromString("--semi-space-growth-factor=1");
  keepYoungSmall();
  // The start of a thread resets it, for all threads.
  process.on("worker", (thread) => void thread.once("online", keepYoungSmall));
  setFlagsFromString("--max-inlined-bytecode-size-cumulative=100");
  const { keepCompiled } = await import("./compile-cache.ts");
  keepCompiled();
  const { start } = await import("./main.ts");
  await start();
}
