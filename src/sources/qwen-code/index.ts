import { hash } from "node:crypto";
import { basename, join } from "node:path";
import type { RecordedMessage } from "../../core/session/message.ts";
import type { SessionFile } from "../../core/files/session-file.ts";
import type { ByteSource } from "../../kernel/bytes.ts";
import { asName } from "../decoding/fields.ts";
import { parseJsonText } from "../decoding/parse.ts";
import { promptLogsOf } from "../decoding/prompt-log.ts";
import { tagOfSavedChat } from "../decoding/saved-chat-tag.ts";
import type { SavedChatAbility, Source } from "../source.ts";
import { blindSpots } from "./blind-spots.ts";
import type { QwenContent } from "./content.ts";
import { fileEditsOf } from "../decoding/file-edits.ts";
import { findFiles } from "./find.ts";
import { readSavedChat } from "./formats/document.ts";
import { DOCUMENT, readFile, RECORDS, TOTALS, USAGE_RECORD } from "./formats/index.ts";
import { RECORD } from "./formats/skim-fields.ts";
import { handover } from "./handover.ts";
import { interpret } from "./interpret/interpret.ts";
import { stemOf } from "./interpret/parts.ts";
import { native } from "./native.ts";
import { restoration } from "./restore.ts";
import { rootsOf } from "./roots.ts";
import { retention } from "./retention.ts";
import { toolTable } from "./tools.ts";
import { keysOfTotals } from "./totals.ts";

const ID = "qwen-code";
/** The id is in the first record, or near the start of a document. */
const PEEK_BYTES = 4096;

const savedChats: SavedChatAbility = {
  read(file, bytes, report) {
    const messages: RecordedMessage[] = [];
    readSavedChat(bytes, (message) => void messages.push(message), report);
    const tag = tagOfSavedChat(file.replaced?.path ?? file.path);
    return {
      id: `chat-${hash("sha256", `qwen/${file.folder}/${tag}`, "hex").slice(0, 12)}`,
      source: ID,
      tag,
      file: file.path,
      sizeBytes: file.sizeBytes,
      modifiedMs: file.modifiedMs,
      messages,
    };
  },
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
    restore: { plan: restoration },
    handover,
    settingsEntries: () => import("./settings-entries.ts"),
    native,
    savedChats,
    promptLog: promptLogsOf(ID),
  },
};

/** Records of agents have the id of their parent session, so both are read together. */
function keysOf(file: SessionFile, bytes: ByteSource): string[] {
  if (basename(file.replaced?.path ?? file.path) === USAGE_RECORD) return keysOfTotals(file, bytes);
  const head = bytes.range(0, PEEK_BYTES).toString("utf8");
  const match = /"sessionId"\s*:\s*("(?:\\.|[^"\\])*")/.exec(head);
  const parsed = parseJsonText(match?.[1] ?? "");
  const recorded = parsed.isJson ? asName(parsed.value) : undefined;
  return [recorded ?? file.parentId ?? stemOf(file)];
}
