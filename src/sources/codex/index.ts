import { originalPath } from "../../core/files/session-file.ts";
import { join } from "node:path";
import type { BlindSpots } from "../../core/files/blind-spots.ts";
import { promptLogsOf } from "../decoding/prompt-log.ts";
import type { Source } from "../source.ts";
import type { Rollout } from "./content.ts";
import { fileEditsOf } from "./file-edits.ts";
import { findFiles } from "./find.ts";
import { readPrompts } from "./formats/prompt-log.ts";
import { RECORD } from "./skim/fields.ts";
import { handover } from "./handover.ts";
import { interpret } from "./interpret/interpret.ts";
import { keysOf } from "./keys.ts";
import { native } from "./native.ts";
import { FORMATS, readFile, textBytes } from "./read.ts";
import { restore } from "./restore.ts";
import { rootsOf } from "./roots.ts";
import { TITLES_FILE, titlesOf } from "./titles.ts";
import { toolTable } from "./tools.ts";
import { isPacked } from "./zstd.ts";

const ID = "codex";

/** What Codex never records in session files. */
const blindSpots: BlindSpots = {
  unrecorded:
    "A lower bound: Codex does not record titles, aborted answers and (up to 0.152) compactions.",
  losses: [
    {
      generations: ["0.1.2504–0.1.2505", "0.1.2505–0.31"],
      what: "written by versions before 0.32, which recorded no usage at all: it is unknown.",
      isWhole: true,
    },
  ],
};

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
  read: readFile,
  walked: (file) => (isPacked(originalPath(file)) ? undefined : { as: "lines", fields: RECORD }),
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
    promptLog: promptLogsOf(ID, readPrompts),
  },
};
