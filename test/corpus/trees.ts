import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";

/** Trees written by the real program, with the books of the API that answered it. */
export interface Tree {
  /** `<version>/<scenario>` */
  name: string;
  folder: string;
  truth: Truth;
  /** Copies of `tmp` that were made between the runs of a scenario. */
  snapshots: string[];
  oracles: Oracle[];
}

export interface Truth {
  version: string;
  project: string;
  prompts: string[];
  answers: { text: string; completed: boolean }[];
  requests: { kind: string; model?: string; usage?: Books }[];
  toolCalls: Record<string, Outcomes>;
  toolOutcomes: { id: string; name: string; outcome: string }[];
  files: { path: string }[];
}

export interface Books {
  prompt: number;
  cached: number;
  candidates: number;
  thoughts: number;
  tool: number;
  total: number;
}

export type Outcomes = Record<"sent" | "ok" | "error" | "cancelled", number>;

/** What the program itself made of the tree: the history that `--resume` sent to the API. */
export interface Oracle {
  by: string;
  resumes: { id: string; historySentToApi?: string[] }[];
}

/** One entry of the corpus' own index: what another reading of the same bytes found. */
export interface Indexed {
  dir: string;
  sessionFiles: { file: string; sessionId: string | null }[];
  onDisk: { everyMessageId: Record<"n" | UsageName, number> };
}

export type UsageName = "input" | "output" | "cached" | "thoughts" | "tool" | "total";

export const CORPUS: string = resolve(import.meta.dirname, "../../../shared/corpus");
export const hasCorpus: boolean = existsSync(join(CORPUS, "index.json"));

/** None where there are none: the tests that need them say so. */
export function readTrees(base: string): Tree[] {
  if (!existsSync(base)) return [];
  return versionsOf(base).flatMap((version) =>
    readdirSync(join(base, version))
      .toSorted()
      .flatMap((scenario): Tree[] => {
        const folder = join(base, version, scenario);
        const isTree = existsSync(join(folder, "truth.json"));
        return isTree ? [readTree(`${version}/${scenario}`, folder)] : [];
      }),
  );
}

function versionsOf(base: string): string[] {
  return readdirSync(base)
    .filter((name) => /^\d/.test(name))
    .toSorted((a, b) => a.localeCompare(b, "en", { numeric: true }));
}

function readTree(name: string, folder: string): Tree {
  const snapshots = join(folder, "snapshots");
  return {
    name,
    folder,
    truth: readJson(join(folder, "truth.json")) as Truth,
    snapshots: existsSync(snapshots)
      ? readdirSync(snapshots)
          .toSorted()
          .map((label) => join(snapshots, label))
      : [],
    oracles: readdirSync(folder)
      .filter((file) => file.startsWith("resume-by-"))
      .map((file) => readJson(join(folder, file)) as Oracle),
  };
}

export function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, "utf8"));
}
