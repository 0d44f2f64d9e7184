#!/usr/bin/env node
// Writes the demo home: a small company's Gemini CLI folder, told by the stories in scripts/demo.
// The same stories give the same bytes, on every machine.
//
//     node scripts/make-demo.mjs            writes demo/home
//     node scripts/make-demo.mjs --out DIR  writes it there instead
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { projectFiles } from "./demo/home.mjs";

const { values } = parseArgs({ options: { out: { type: "string" } } });
const home = values.out ?? join(import.meta.dirname, "..", "demo", "home");
const root = join(home, ".gemini");

const { projects } = JSON.parse(
  readFileSync(join(import.meta.dirname, "demo", "projects.json"), "utf8"),
);

const files = new Map(projects.flatMap((project) => [...projectFiles(project)]));
const registered = projects.filter(({ isLeft }) => !isLeft).map(({ path, slug }) => [path, slug]);
const trusted = projects
  .filter(({ isTrusted }) => isTrusted)
  .map(({ path }) => [path, "TRUST_FOLDER"]);
const settings = { general: { sessionRetention: { enabled: true, maxAge: "240d" } } };
files.set("projects.json", pretty({ projects: Object.fromEntries(registered) }));
files.set("trustedFolders.json", pretty(Object.fromEntries(trusted)));
files.set("settings.json", pretty(settings));

rmSync(root, { recursive: true, force: true });
let sizeBytes = 0;
for (const [path, text] of files) {
  const target = join(root, path);
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, text);
  sizeBytes += Buffer.byteLength(text);
}
console.log(`${files.size} files, ${Math.round(sizeBytes / 1024)} KB in ${root}`);

function pretty(value) {
  return JSON.stringify(value, null, 2);
}
