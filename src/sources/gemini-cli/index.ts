import { hash } from "node:crypto";
import { join } from "node:path";
import type { RecordedMessage } from "../../core/session/message.ts";
import { optional } from "../../core/optional.ts";
import type { ByteSource } from "../../kernel/bytes.ts";
import { asName, asObject } from "../decoding/fields.ts";
import { promptLogsOf } from "../decoding/prompt-log.ts";
import { tagOfSavedChat } from "../decoding/saved-chat-tag.ts";
import type { SavedChatAbility, Source } from "../source.ts";
import { blindSpots } from "./blind-spots.ts";
import { fileEditsOf } from "../decoding/file-edits.ts";
import { findFiles } from "./find.ts";
import { formatOf, lookAt } from "./formats/index.ts";
import { handover } from "./handover.ts";
import { FileReplay } from "./interpret/file-replay.ts";
import { interpret } from "./interpret/interpret.ts";
import { native } from "./native.ts";
import { GeminiProjects } from "./project.ts";
import { readFile } from "./read-file.ts";
import { retention } from "./retention.ts";
import { restoration } from "./restore/index.ts";
import { rootsOf } from "./roots.ts";
import { RECORD } from "./skim/fields.ts";
import { isLines } from "./skim/skim.ts";
import { toolTable } from "./tools.ts";

const ID = "gemini-cli";
const LEDGER_NAME = "gemini";
/** In every generation the id is near the beginning of the file. */
const PEEK_BYTES = 4096;

const savedChats: SavedChatAbility = {
  read(file, bytes, report) {
    const messages: RecordedMessage[] = [];
    const format = formatOf(lookAt(bytes));
    if (format?.name === "saved-chat") {
      format.read(bytes, {
        report,
        entry: (entry) => {
          if (entry.kind === "message") messages.push(entry.message);
        },
      });
    } else {
      const message = "The file is not a saved chat.";
      report({ code: "unknown-format", severity: "damage", message, file: file.path });
    }
    const tag = tagOfSavedChat(file.replaced?.path ?? file.path);
    return {
      id: `chat-${hash("sha256", `${file.folder}/${tag}`, "hex").slice(0, 12)}`,
      source: ID,
      tag,
      file: file.path,
      sizeBytes: file.sizeBytes,
      modifiedMs: file.modifiedMs,
      ...optional("authType", authTypeOf(bytes)),
      messages,
    };
  },
};

export const geminiCli: Source<FileReplay> = {
  id: ID,
  name: "Gemini CLI",
  aliases: ["gemini"],
  ledgerName: LEDGER_NAME,
  // Files do not record which of Google's services answered.
  modelVendor: { otel: "gcp.gen_ai", models: "google" },
  blindSpots,
  formats: ["append-jsonl", "single-json", "saved-chat", "prompt-log"],
  tools: toolTable,
  roots: rootsOf,
  find: (root, report) => findFiles(root.path, report),
  keysOf(_file, bytes) {
    const id = idIn(lookAt(bytes, PEEK_BYTES).text) ?? idAnywhere(bytes);
    return id === undefined ? [] : [id];
  },
  read: readFile,
  walked: ({ path }) => ({ as: isLines(path) ? "lines" : "document", fields: RECORD }),
  interpret,
  emptyContent: new FileReplay(),
  watched: ({ path }) => [join(path, "tmp"), join(path, "projects.json")],
  abilities: {
    fileEdits: fileEditsOf,
    retention,
    restore: { plan: restoration },
    handover,
    settingsEntries: () => import("./settings-entries.ts"),
    savedChats,
    promptLog: promptLogsOf(ID),
    projects: { index: (home, report) => new GeminiProjects(home, report) },
    native,
  },
};

/** Does not match inside recorded texts, because quotes are escaped there. */
function idIn(text: string): string | undefined {
  const match = /"sessionId"\s*:\s*("(?:\\.|[^"\\])*")/.exec(text);
  return match?.[1] === undefined ? undefined : (JSON.parse(match[1]) as string);
}

/**
 * Searches the whole file: a file without its header may name its session later, and a document may
 * name it after the messages.
 */
function idAnywhere(bytes: ByteSource): string | undefined {
  let tail = "";
  for (const chunk of bytes.chunks()) {
    const text = tail + chunk.toString("latin1");
    const id = idIn(text);
    if (id !== undefined) return id;
    tail = text.slice(-PEEK_BYTES);
  }
  return undefined;
}

/** `{"history": […], "authType": "…"}` (0.16+): the field is at the end of the document. */
function authTypeOf(bytes: ByteSource): string | undefined {
  let tail = "";
  for (const chunk of bytes.chunks()) tail = chunk.subarray(-200).toString("utf8");
  const match = /"authType"\s*:\s*("[^"]*")\s*\}\s*$/.exec(tail);
  if (match?.[1] === undefined) return undefined;
  return asName(asObject({ value: JSON.parse(match[1]) as unknown })?.["value"]);
}
