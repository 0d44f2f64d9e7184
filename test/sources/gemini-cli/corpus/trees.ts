import { readdirSync } from "node:fs";
import { join } from "node:path";
import type {
  RecordedOutcomes,
  RecordedTruth,
  RecordedUsage,
} from "../../../corpora/gemini-cli.ts";
import { corpusTrees, readJson } from "../../../corpora/trees.ts";

/** A tree of Gemini CLI with everything recorded beside it. */
export interface Tree {
  /** `<version>/<scenario>` */
  name: string;
  folder: string;
  truth: Truth;
  /** Copies of `tmp` that were made between the runs of a scenario. */
  snapshots: string[];
  oracles: Oracle[];
  indexed: Indexed;
}

export type Truth = RecordedTruth;
export type Books = RecordedUsage;
export type Outcomes = RecordedOutcomes;

/** The history that the program sent to the API with `--resume`. */
interface Oracle {
  by: string;
  resumes: { id: string; historySentToApi?: string[] }[];
}

/** One entry of the index of the corpus, made by an independent reader. */
interface Indexed {
  sessionFiles: { file: string; sessionId: string | null }[];
  onDisk: { everyMessageId: Record<"n" | UsageName, number> };
}

export type UsageName = "input" | "output" | "cached" | "thoughts" | "tool" | "total";

/** The committed trees, and all others if the complete corpus is beside the repository. */
export function readTrees(): Tree[] {
  return corpusTrees("gemini-cli").map(({ name, folder, snapshots, truth, indexed }) => ({
    name,
    folder,
    snapshots,
    truth: truth(),
    oracles: readdirSync(folder)
      .filter((file) => file.startsWith("resume-by-"))
      .map((file) => readJson(join(folder, file)) as Oracle),
    indexed: indexed() as Indexed,
  }));
}
