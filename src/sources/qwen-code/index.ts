import { join } from "node:path";
import type { BlindSpots } from "../../core/files/blind-spots.ts";
import type { RecordedMessage } from "../../core/session/message.ts";
import { fileEditsOf } from "../decoding/file-edits.ts";
import { promptLogsOf, readPrompts } from "../decoding/prompt-log.ts";
import { savedChatIn } from "../decoding/saved-chat.ts";
import type { Source } from "../source.ts";
import type { QwenContent } from "./content.ts";
import { findFiles } from "./find.ts";
import { readSavedChat } from "./formats/document.ts";
import { RECORD } from "./skim/fields.ts";
import { handover } from "./handover.ts";
import { interpret } from "./interpret/interpret.ts";
import { keysOf } from "./keys.ts";
import { native } from "./native.ts";
import { USAGE_RECORD } from "./formats/usage-record.ts";
import { DOCUMENT, readFile, RECORDS, TOTALS } from "./read.ts";
import { restore } from "./restore.ts";
import { retention } from "./retention.ts";
import { rootsOf } from "./roots.ts";
import { toolTable } from "./tools.ts";

const ID = "qwen-code";

/** What Qwen Code never records in session files. */
const blindSpots: BlindSpots = {
  unrecorded:
    "A lower bound: Qwen Code does not record suggestions, judgements and cancelled answers.",
  losses: [
    {
      generations: ["0.0.10–0.0.14", "0.1–0.3"],
      what:
        "written by versions up to 0.3, which recorded neither answers without text nor tool " +
        "calls: their true total is higher.",
    },
  ],
};

export const qwenCode: Source<QwenContent> = {
  id: ID,
  name: "Qwen Code",
  aliases: ["qwen"],
  ledgerName: "qwen",
  // Qwen Code works with any API; the default is Alibaba's.
  modelVendor: { otel: "alibaba_cloud", models: "alibaba" },
  blindSpots,
  formats: [RECORDS, DOCUMENT, TOTALS, "saved-chat", "prompt-log"],
  tools: toolTable,
  roots: rootsOf,
  find: (root, report) => findFiles(root.path, report),
  keysOf,
  read: readFile,
  walked: ({ path, role }) => {
    const hasRecords = role !== "totals" && path.endsWith(".jsonl");
    return hasRecords ? { as: "lines", fields: RECORD } : undefined;
  },
  interpret,
  emptyContent: { kind: "nothing" },
  watched: ({ path }) => [join(path, "projects"), join(path, "tmp"), join(path, USAGE_RECORD)],
  abilities: {
    fileEdits: fileEditsOf,
    retention,
    restore,
    handover,
    settingsEntries: () => import("./settings-entries.ts"),
    native,
    savedChats: {
      read(file, bytes, report) {
        const messages: RecordedMessage[] = [];
        readSavedChat(bytes, (message) => void messages.push(message), report);
        return { ...savedChatIn(file, { source: ID, salt: "qwen/" }), messages };
      },
    },
    promptLog: promptLogsOf(ID, readPrompts),
  },
};
