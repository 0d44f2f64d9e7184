import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { RecordedTruth } from "./claude-code.ts";
import type { RecordedTruth as CodexTruth } from "./codex.ts";
import type { RecordedTruth as GeminiTruth } from "./gemini-cli.ts";
import type { RecordedTruth as QwenTruth } from "./qwen-code.ts";

/**
 * Trees that the real programs wrote while connected to a scripted API, each with the log of that
 * API (`truth.json`). A representative part is committed under `test/fixtures/corpora`; the
 * complete corpora are also read if they are beside the repository.
 */
export type AgentId = keyof RecordedTruths;

interface RecordedTruths {
  "gemini-cli": GeminiTruth;
  "claude-code": RecordedTruth;
  codex: CodexTruth;
  "qwen-code": QwenTruth;
}

export interface CorpusTree<Agent extends AgentId = AgentId> {
  agent: Agent;
  version: string;
  scenario: string;
  /** `<version>/<scenario>`, the key in lists of known differences. */
  name: string;
  folder: string;
  /** Folders that represent the agent's home folders (`.claude`, `qhome`, …). */
  roots: string[];
  /** Copies of the session files that were made between the runs of a scenario. */
  snapshots: string[];
  isCommitted: boolean;
  /** The recorded `truth.json`; `truth.ts` converts it to the product's terms. */
  truth: () => RecordedTruths[Agent];
  /** The tree's entry in the index of the corpus, made by an independent reader. */
  indexed: () => unknown;
}

const COMMITTED = resolve(import.meta.dirname, "../fixtures/corpora");
const SHARED = resolve(import.meta.dirname, "../../../shared");

const COMPLETE: Record<AgentId, string> = {
  "gemini-cli": join(SHARED, "corpus"),
  "claude-code": join(SHARED, "agents/claude-code/corpus"),
  codex: join(SHARED, "agents/codex/corpus"),
  "qwen-code": join(SHARED, "agents/qwen-code/corpus"),
};

/** The default folder first, then those that scenarios set by an environment variable. */
const ROOTS: Record<AgentId, readonly string[]> = {
  "gemini-cli": [".gemini"],
  "claude-code": [".claude", ".config/claude-work"],
  codex: [".codex", "codex-work"],
  "qwen-code": [".qwen", "qhome", "qrun"],
};

/** Whether an agent has a corpus. */
export function hasCorpus(agent: string): agent is AgentId {
  return Object.hasOwn(ROOTS, agent);
}

/** Whether all trees of an agent are available, not only the committed ones. */
export function hasCompleteCorpus(agent: AgentId): boolean {
  return existsSync(join(COMPLETE[agent], "index.json"));
}

/** All available trees of an agent, oldest version first, each once. */
export function corpusTrees<Agent extends AgentId>(agent: Agent): CorpusTree<Agent>[] {
  const committed = treesIn(agent, join(COMMITTED, agent));
  const names = new Set(committed.map(({ name }) => name));
  const others = treesIn(agent, COMPLETE[agent]).filter(({ name }) => !names.has(name));
  return [...committed, ...others].toSorted((a, b) =>
    a.name.localeCompare(b.name, "en", { numeric: true }),
  );
}

/** The committed trees only, which are the same on every machine. */
export function committedTrees<Agent extends AgentId>(agent: Agent): CorpusTree<Agent>[] {
  return treesIn(agent, join(COMMITTED, agent));
}

function treesIn<Agent extends AgentId>(agent: Agent, base: string): CorpusTree<Agent>[] {
  const versions = existsSync(base) ? readdirSync(base).filter((name) => /^\d/.test(name)) : [];
  const names = versions.flatMap((version) =>
    readdirSync(join(base, version)).map((scenario) => ({ version, scenario })),
  );
  return names
    .filter(({ version, scenario }) => existsSync(join(base, version, scenario, "truth.json")))
    .map((name) => treeOf(agent, base, name));
}

function treeOf<Agent extends AgentId>(
  agent: Agent,
  base: string,
  { version, scenario }: { version: string; scenario: string },
): CorpusTree<Agent> {
  const name = `${version}/${scenario}`;
  const folder = join(base, name);
  return {
    agent,
    version,
    scenario,
    name,
    folder,
    roots: rootsOf(agent, folder),
    snapshots: listed(join(folder, "snapshots")),
    isCommitted: base.startsWith(COMMITTED),
    truth: () => readJson(join(folder, "truth.json")) as RecordedTruths[Agent],
    indexed: () => indexOf(base).get(name),
  };
}

/** A program that wrote nothing left no folder: then its default folder is the root. */
function rootsOf(agent: AgentId, folder: string): string[] {
  const roots = ROOTS[agent].map((root) => join(folder, root));
  const existing = roots.filter((root) => existsSync(root));
  return existing.length === 0 ? roots.slice(0, 1) : existing;
}

function listed(folder: string): string[] {
  const names = existsSync(folder) ? readdirSync(folder).toSorted() : [];
  return names.map((name) => join(folder, name));
}

const indexes = new Map<string, Map<string, unknown>>();

function indexOf(base: string): Map<string, unknown> {
  const known = indexes.get(base);
  if (known) return known;
  const entries = readJson(join(base, "index.json")) as { version: string; scenario: string }[];
  const index = new Map<string, unknown>(
    entries.map((entry) => [`${entry.version}/${entry.scenario}`, entry]),
  );
  indexes.set(base, index);
  return index;
}

export function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, "utf8"));
}
