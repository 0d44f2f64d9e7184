import { join } from "node:path";
import type { Source } from "../source.ts";
import { blindSpots } from "./blind-spots.ts";
import { fileEditsOf } from "./file-edits.ts";
import { findFiles } from "./find.ts";
import { FORMATS, nameOf, readRollout, textBytes } from "./formats/index.ts";
import { RECORD } from "./formats/row.ts";
import { handover } from "./handover.ts";
import { interpret } from "./interpret/index.ts";
import { keysOf } from "./keys.ts";
import { native } from "./native.ts";
import { readPromptLog } from "./prompt-log.ts";
import { restore } from "./restore.ts";
import type { Rollout } from "./rollout.ts";
import { rootsOf } from "./roots.ts";
import { TITLES_FILE, titlesOf } from "./titles.ts";
import { toolTable } from "./tools.ts";
import { isPacked } from "./zstd.ts";

const ID = "codex";

export const codex: Source<Rollout> = {
  id: ID,
  name: "Codex",
  aliases: [],
  ledgerName: ID,
  modelVendor: { otel: "openai", models: "openai" },
  blindSpots,
  formats: Object.values(FORMATS),
  tools: toolTable,
  roots: rootsOf,
  find: (root, report) => findFiles(root.path, report),
  keysOf,
  read: readRollout,
  walked: (file) => (isPacked(nameOf(file)) ? undefined : { as: "lines", fields: RECORD }),
  unpacked: textBytes,
  interpret,
  emptyContent: { entries: [], prints: [], times: [], lines: 0, hasTurns: false },
  watched: ({ path }) => [
    join(path, "sessions"),
    join(path, "archived_sessions"),
    join(path, TITLES_FILE),
  ],
  abilities: {
    fileEdits: fileEditsOf,
    handover,
    restore,
    native,
    settingsEntries: () => import("./settings-entries.ts"),
    titles: titlesOf,
    promptLog: {
      read(file, bytes, report) {
        return [...readPromptLog(file, bytes, report)].map(([sessionId, prompts]) => {
          return { sessionId, source: ID, prompts, files: [file.path] };
        });
      },
    },
  },
};
