import { diagnosticAt } from "../../../core/files/diagnostic.ts";
import type { Author, RecordedMessage } from "../../../core/session/message.ts";
import type { Place } from "../../../core/files/place.ts";
import type { ByteSource } from "../../../kernel/bytes.ts";
import { readContent } from "../../decoding/content.ts";
import type { Json } from "../../decoding/fields.ts";
import { asName, asObject, asText, asTime } from "../../decoding/fields.ts";
import { readJsonDocument } from "../../decoding/json-document.ts";
import type { Report } from "../../source.ts";
import type { DocumentFacts } from "../content.ts";
import { readUserString, readUserText } from "./user-text.ts";
import { DOCUMENT, readCounts } from "./usage.ts";
import type { Frame } from "./message.ts";
import { modelMessage, noticeMessage, userMessage } from "./message.ts";

/** Authors by recorded type (in saved chats, by role). */
const AUTHORS: ReadonlyMap<string, Author> = new Map<string, Author>([
  ["user", "user"],
  ["qwen", "model"],
  ["gemini", "model"],
  ["model", "model"],
  ["info", "notice"],
  ["warning", "notice"],
  ["error", "notice"],
]);

export interface ReadDocument {
  facts: DocumentFacts;
  /** The type of the model's messages, which changed from `gemini` to `qwen`. */
  speaker?: string;
}

/**
 * Reads files of 0.0.10 to 0.3: one document in the format that Gemini CLI had then. It contains
 * only answers with text.
 *
 *     {"sessionId": "S", "projectHash": "H", "startTime": "T0", "lastUpdated": "T1",
 *      "messages": [{"id": "m1", "timestamp": "T0", "type": "qwen", "content": "…", …}]}
 */
export function readDocument(
  source: ByteSource,
  visit: (message: RecordedMessage) => void,
  report: Report,
): ReadDocument {
  const header: Json = Object.create(null) as Json;
  let speaker: string | undefined;
  readJsonDocument(source, ["messages"], {
    elementName: "A message",
    report,
    field(key, value) {
      header[key] = value;
    },
    element(value, place) {
      const record = asObject(value);
      if (!record) return reportElement(place, report);
      const message = readDocumentMessage(record, place, report);
      if (message.author === "model") speaker ??= asName(record["type"]);
      visit(message);
    },
  });
  return { facts: readFacts(header), ...(speaker === undefined ? {} : { speaker }) };
}

/** Reads a chat of `/chat save`: the model's history, without ids, times and token counts. */
export function readSavedChat(
  source: ByteSource,
  visit: (message: RecordedMessage) => void,
  report: Report,
): void {
  readJsonDocument(source, ["history"], {
    elementName: "A turn",
    report,
    element(value, place) {
      const record = asObject(value);
      if (record) visit(readDocumentMessage(record, place, report));
      else reportElement(place, report);
    },
  });
}

function reportElement(place: Place, report: Report): void {
  const message = "An element of the message list is not an object.";
  report(diagnosticAt(place, { code: "bad-element", severity: "notice", message }));
}

function readFacts(header: Json): DocumentFacts {
  const facts: DocumentFacts = {};
  const sessionId = asName(header["sessionId"]);
  const projectHash = asName(header["projectHash"]);
  const startedAt = asTime(header["startTime"]);
  const updatedAt = asTime(header["lastUpdated"]);
  if (sessionId !== undefined) facts.sessionId = sessionId;
  if (projectHash !== undefined) facts.projectHash = projectHash;
  if (startedAt !== undefined) facts.startedAt = startedAt;
  if (updatedAt !== undefined) facts.updatedAt = updatedAt;
  return facts;
}

function readDocumentMessage(record: Json, place: Place, report: Report): RecordedMessage {
  const type = asText(record["type"]) ?? asText(record["role"]) ?? "";
  const author = AUTHORS.get(type);
  if (author === undefined) {
    const message = `A message of the unknown type ${JSON.stringify(type.slice(0, 40))}.`;
    report(diagnosticAt(place, { code: "bad-message", severity: "notice", message }));
  }
  const id = asName(record["id"]);
  const frame: Frame = {
    id: id ?? `unnamed-${place.start}`,
    author: author ?? "notice",
    at: asTime(record["timestamp"]),
    model: asName(record["model"]),
    place,
  };
  const message = read(record, frame, type);
  message.usage = readCounts(record["tokens"], DOCUMENT, { place, report });
  // Always recorded as 0; thoughts are part of the output and not counted separately.
  if (message.usage?.thoughts === 0) delete message.usage.thoughts;
  return id === undefined ? { ...message, isUnnamed: true } : message;
}

function read(record: Json, frame: Frame, type: string): RecordedMessage {
  const recorded = record["content"] ?? record["parts"];
  const content = readContent(recorded);
  if (frame.author === "model") return modelMessage(frame, content);
  if (frame.author === "notice") {
    const level = type === "error" || type === "warning" ? type : "info";
    return noticeMessage(frame, content.texts.join("\n"), level);
  }
  const userText =
    typeof recorded === "string" ? readUserString(recorded) : readUserText(content.texts);
  const kind = content.results.length > 0 ? "result" : "prompt";
  return userMessage(frame, content, { kind, userText });
}
