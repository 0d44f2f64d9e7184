#!/usr/bin/env node
// Writes the demo home: the folders of coding agents at a small company, generated from the stories
// in scripts/demo. The same stories give the same bytes on every machine.
//
//     node scripts/make-demo.mjs            writes demo/home
//     node scripts/make-demo.mjs --out DIR  writes it there instead
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { agentFiles } from "./demo/agent-home.mjs";
import { claudeCode } from "./demo/claude-code.mjs";
import { codex } from "./demo/codex.mjs";
import { projectFiles } from "./demo/home.mjs";
import { qwenCode } from "./demo/qwen-code.mjs";

const { values } = parseArgs({ options: { out: { type: "string" } } });
const home = values.out ?? join(import.meta.dirname, "..", "demo", "home");

const { projects } = JSON.parse(
  readFileSync(join(import.meta.dirname, "demo", "projects.json"), "utf8"),
);
const others = { "claude-code": claudeCode, codex, "qwen-code": qwenCode };

rmSync(home, { recursive: true, force: true });
writeHome(".gemini", geminiFiles());
for (const [name, agent] of Object.entries(others)) {
  writeHome(agent.folder, agentFiles(name, agent, projects));
}

function geminiFiles() {
  const files = new Map(projects.flatMap((project) => [...projectFiles(project)]));
  const registered = projects.filter(({ isLeft }) => !isLeft).map(({ path, slug }) => [path, slug]);
  const trusted = projects
    .filter(({ isTrusted }) => isTrusted)
    .map(({ path }) => [path, "TRUST_FOLDER"]);
  const settings = { general: { sessionRetention: { enabled: true, maxAge: "240d" } } };
  files.set("projects.json", pretty({ projects: Object.fromEntries(registered) }));
  files.set("trustedFolders.json", pretty(Object.fromEntries(trusted)));
  files.set("settings.json", pretty(settings));
  return files;
}

function writeHome(folder, files) {
  const root = join(home, folder);
  let sizeBytes = 0;
  for (const [path, text] of files) {
    const target = join(root, path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text);
    sizeBytes += Buffer.byteLength(text);
  }
  console.log(`${files.size} files, ${Math.round(sizeBytes / 1024)} KB in ${root}`);
}

function pretty(value) {
  return JSON.stringify(value, null, 2);
}
