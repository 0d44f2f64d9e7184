import { cpSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

const FIXTURES = join(import.meta.dirname, "../fixtures/corpora");
const HOMES = {
  "gemini-cli": ".gemini",
  "claude-code": ".claude",
  codex: ".codex",
  "qwen-code": ".qwen",
} as const;

/** The agents in these homes. */
export const MIXED_AGENTS: readonly string[] = Object.keys(HOMES);

/** Committed trees of every agent, each in its own folder below one root. */
export function mixedHome(perAgent: number): string {
  const root = homeOf((trees) => trees.slice(-perAgent));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  return root;
}

/** Trees with subagents, forks and compressions; the caller removes the folder. */
export function tangledHome(): string {
  return homeOf((trees) => trees.filter((tree) => /subagent|fork|tui-comp/.test(tree)).slice(-5));
}

/** One home directory in which every agent worked on the same project. */
export function sharedHome(): string {
  const root = mkdtempSync(join(tmpdir(), "pollux-shared-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [agent, home] of Object.entries(HOMES)) {
    const chosen = treesOf(agent).filter((tree) => /(fork|resume|subagent)$/.test(tree));
    for (const tree of chosen.slice(-3)) {
      cpSync(join(tree, home), join(root, home), { recursive: true });
    }
  }
  return root;
}

function homeOf(choose: (trees: string[]) => string[]): string {
  const root = mkdtempSync(join(tmpdir(), "pollux-mixed-"));
  for (const [agent, home] of Object.entries(HOMES)) {
    for (const [at, tree] of choose(treesOf(agent)).entries()) {
      cpSync(join(tree, home), join(root, `${agent}-${at}`, home), { recursive: true });
    }
  }
  return root;
}

function treesOf(agent: string): string[] {
  const folder = join(FIXTURES, agent);
  return foldersIn(folder).flatMap((version) =>
    foldersIn(join(folder, version)).map((scenario) => join(folder, version, scenario)),
  );
}

function foldersIn(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}
