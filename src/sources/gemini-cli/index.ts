import { join } from "node:path";
import type { BlindSpots } from "../../core/files/blind-spots.ts";
import { fileEditsOf } from "../decoding/file-edits.ts";
import { promptLogsOf, readPrompts } from "../decoding/prompt-log.ts";
import type { Source } from "../source.ts";
import { findFiles } from "./find.ts";
import { handover } from "./handover.ts";
import { FileReplay } from "./interpret/file-replay.ts";
import { interpret } from "./interpret/interpret.ts";
import { keysOf } from "./keys.ts";
import { native } from "./native.ts";
import { GeminiProjects } from "./project.ts";
import { readFile } from "./read.ts";
import { restore } from "./restore/restore.ts";
import { retention } from "./retention.ts";
import { rootsOf } from "./roots.ts";
import { savedChatsOf } from "./saved-chats.ts";
import { RECORD } from "./skim/fields.ts";
import { isLines } from "./skim/skim.ts";
import { toolTable } from "./tools.ts";

const ID = "gemini-cli";

/** Data that no Gemini CLI session file contains; docs/ledger.md has the evidence by version. */
const blindSpots: BlindSpots = {
  unrecorded:
    "A lower bound: Gemini CLI does not record compressions, titles, routing, discarded answers.",
  losses: [
    {
      // 0.31 does the same, but its documents are indistinguishable from those of later versions.
      generations: ["0.4–0.27", "0.9–0.27", "0.18–0.27", "0.28–0.30"],
      what:
        "written by versions up to 0.31, which did not record the usage of replies that only " +
        "called tools: their true total is higher.",
    },
  ],
};

export const geminiCli: Source<FileReplay> = {
  id: ID,
  name: "Gemini CLI",
  aliases: ["gemini"],
  ledgerName: "gemini",
  // Files do not record which of Google's services answered.
  modelVendor: { otel: "gcp.gen_ai", models: "google" },
  blindSpots,
  formats: ["append-jsonl", "single-json", "saved-chat", "prompt-log"],
  tools: toolTable,
  roots: rootsOf,
  find: (root, report) => findFiles(root.path, report),
  keysOf,
  read: readFile,
  walked: ({ path }) => ({ as: isLines(path) ? "lines" : "document", fields: RECORD }),
  interpret,
  emptyContent: new FileReplay(),
  watched: ({ path }) => [join(path, "tmp"), join(path, "projects.json")],
  abilities: {
    fileEdits: fileEditsOf,
    retention,
    restore,
    handover,
    settingsEntries: () => import("./settings-entries.ts"),
    savedChats: savedChatsOf(ID),
    promptLog: promptLogsOf(ID, readPrompts),
    projects: { index: (home, report) => new GeminiProjects(home, report) },
    native,
  },
};
