import { join } from "node:path";
import type { BlindSpots } from "../../core/files/blind-spots.ts";
import { fileEditsOf } from "../decoding/file-edits.ts";
import type { Source } from "../source.ts";
import type { Transcript } from "./content.ts";
import { newTranscript } from "./content.ts";
import { findFiles } from "./find.ts";
import { WITHOUT_FINAL_COUNTS } from "./formats/generation.ts";
import { readPromptLog } from "./formats/prompt-log.ts";
import { handover } from "./handover.ts";
import { interpret } from "./interpret/interpret.ts";
import { keysOf } from "./keys.ts";
import { native } from "./native.ts";
import { readFile } from "./read.ts";
import { restore } from "./restore.ts";
import { retention } from "./retention.ts";
import { rootsOf } from "./roots.ts";
import { RECORD } from "./skim/fields.ts";
import { toolTable } from "./tools.ts";

const ID = "claude-code";

/**
 * What Claude Code never records in session files; docs/formats/claude-code.md has the evidence.
 */
const blindSpots: BlindSpots = {
  unrecorded:
    "A lower bound: Claude Code does not record titles, compactions, quota checks and retries.",
  losses: [
    {
      generations: [WITHOUT_FINAL_COUNTS],
      what:
        "written by versions 2.1.14 to 2.1.56, which never recorded the final count of an " +
        "answer: the true output may be higher.",
    },
  ],
};

export const claudeCode: Source<Transcript> = {
  id: ID,
  name: "Claude Code",
  aliases: ["claude"],
  ledgerName: "claude",
  modelVendor: { otel: "anthropic", models: "anthropic" },
  blindSpots,
  formats: ["transcript", "history"],
  tools: toolTable,
  roots: rootsOf,
  find: (root, report) => findFiles(root.path, report),
  keysOf,
  read: readFile,
  walked: () => ({ as: "lines", fields: RECORD }),
  interpret,
  emptyContent: newTranscript(),
  watched: ({ path }) => [join(path, "projects"), join(path, "history.jsonl")],
  abilities: {
    fileEdits: fileEditsOf,
    retention,
    restore,
    native,
    handover,
    settingsEntries: () => import("./settings-entries.ts"),
    promptLog: { read: (_file, bytes, report) => readPromptLog(bytes, ID, report) },
  },
};
