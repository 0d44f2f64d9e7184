import type { RecordedMessage } from "../../../core/session/message.ts";
import type { Row } from "../../../kernel/json/row.ts";
import type { JsonDocument } from "../../../kernel/json/document.ts";
import { WHOLE } from "../../../kernel/json/fields.ts";
import type { EntrySink } from "../content.ts";
import { isChatOpening } from "../formats/saved-chat.ts";
import { skimHeader } from "./facts.ts";
import { RECORD } from "./fields.ts";
import { skimMessage } from "./skim-message.ts";

const MESSAGES: number = RECORD.slot("messages");
const OPENING = '{\n  "sessionId": ';

/**
 * Skims a document of old versions:
 *
 *     {"sessionId": "S", …, "messages": [ {"id": "m1", …, "tokens": {…}}, … ], "summary": "…"}
 *
 * Returns whether all of it could be skimmed.
 */
export function skimDocument(document: JsonDocument, path: string, into: EntrySink): boolean {
  const { row } = document;
  if (!hasOpening(document.bytes)) return false;
  const facts = row.kind(MESSAGES) === "list" ? skimHeader(row) : undefined;
  if (!facts) return false;
  const messages: RecordedMessage[] = [];
  for (const element of document.elements()) {
    const start = document.offsetOf(element.start(WHOLE));
    const end = document.offsetOf(closeOf(element));
    const message = skimMessage(element, { file: path, line: element.line, start, end });
    if (!message) return false;
    messages.push(message);
  }
  into.entry({ kind: "header", place: { file: path, line: 1, start: 0, end: 0 }, facts });
  for (const message of messages) into.entry({ kind: "message", place: message.place, message });
  return true;
}

/**
 * Accepts only an unambiguous beginning; a saved chat is recognised by the text before its first
 * list.
 */
function hasOpening(bytes: Buffer): boolean {
  const list = bytes.indexOf("[");
  const opening = bytes.toString("latin1", 0, list === -1 ? bytes.length : list + 1);
  return opening.startsWith(OPENING) && !isChatOpening(opening);
}

/** A message extends to the comma or bracket after it. */
function closeOf(element: Row): number {
  const { bytes } = element;
  let at = element.end(WHOLE);
  while ((bytes[at] ?? 33) <= 32 && bytes[at] !== 0) at += 1;
  return at;
}
