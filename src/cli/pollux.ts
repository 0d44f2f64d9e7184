#!/usr/bin/env node
import { version } from "./version.ts";

// As little as possible before the first answer: the version needs no parser and no library.
const [wish, ...more] = process.argv.slice(2);
if ((wish === "--version" || wish === "-V") && more.length === 0) {
  process.stdout.write(`${version}\n`);
} else {
  const { start } = await import("./main.ts");
  await start();
}
