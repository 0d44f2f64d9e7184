#!/usr/bin/env node
import { version } from "./version.ts";

// Keep startup minimal: the version needs neither parser nor library.
const [first, ...more] = process.argv.slice(2);
if ((first === "--version" || first === "-V") && more.length === 0) {
  process.stdout.write(`${version}\n`);
} else {
  const { startProgram } = await import("./start.ts");
  await startProgram();
}
