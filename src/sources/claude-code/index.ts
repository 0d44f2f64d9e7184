import { join } from "node:path";
import { EMPTY_FORMAT } from "../../core/files/session-file.ts";
import type { Source } from "../source.ts";
import { blindSpots } from "./blind-spots.ts";
import { fileEditsOf } from "../decoding/file-edits.ts";
import { findFiles } from "./find.ts";
import { generationOf } from "./formats/generation.ts";
import { readPromptLog } from "./formats/prompt-log.ts";
import type { Transcript } from "./formats/record.ts";
import { newTranscript } from "./formats/record.ts";
import { RECORD } from "./skim/fields.ts";
import { skimTranscript } from "./skim/skim.ts";
import { readTranscript } from "./formats/transcript.ts";
import { handover } from "./handover.ts";
import { interpret } from "./interpret/interpret.ts";
import { keysOf } from "./keys.ts";
import { native } from "./native.ts";
import { restoration } from "./restore.ts";
import { retention } from "./retention.ts";
import { rootsOf } from "./roots.ts";
import { toolTable } from "./tools.ts";

const ID = "claude-code";

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
  read(file, bytes, options) {
    if (file.sizeBytes === 0) {
      // A resume by 2.0 leaves an empty file, named after the first id of the new process.
      const message = "The file is empty: nothing was recorded for this session.";
      const notice = { code: "empty-file", severity: "notice", message, file: bytes.path } as const;
      options.report(notice);
      return { format: EMPTY_FORMAT, generation: "unknown", content: newTranscript() };
    }
    const skimmed = options.depth === "usage" ? skimTranscript(bytes, options) : undefined;
    const content = skimmed ?? readTranscript(bytes, options);
    return { format: "transcript", generation: generationOf(content.versions), content };
  },
  walked: () => ({ as: "lines", fields: RECORD }),
  interpret,
  emptyContent: newTranscript(),
  watched: ({ path }) => [join(path, "projects"), join(path, "history.jsonl")],
  abilities: {
    fileEdits: fileEditsOf,
    retention,
    restore: { plan: restoration },
    native,
    handover,
    settingsEntries: () => import("./settings-entries.ts"),
    promptLog: { read: (_file, bytes, report) => readPromptLog(bytes, ID, report) },
  },
};
