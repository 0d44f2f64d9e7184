#!/usr/bin/env node
import { version } from "./version.ts";

// As little as possible before the first answer: the version needs no parser and no library.
const [first, ...more] = process.argv.slice(2);
if ((first === "--version" || first === "-V") && more.length === 0) {
  process.stdout.write(`${version}\n`);
} else {
  // Most answers are over soon: the engine need not make room for more and more garbage meanwhile,
  // nor put many functions into one another when it compiles them.
  const { setFlagsFromString } = await import("node:v8");
  setFlagsFromString("--semi-space-growth-factor=1");
  setFlagsFromString("--max-inlined-bytecode-size-cumulative=100");
  const { keepCompiled } = await import("./compile-cache.ts");
  keepCompiled();
  const { start } = await import("./main.ts");
  await start();
}
