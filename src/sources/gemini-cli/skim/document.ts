import type { RecordedMessage } from "../../../core/session/message.ts";
import type { Row } from "../../../kernel/json/row.ts";
import { WHOLE } from "../../../kernel/json/fields.ts";
import type { JsonWalk } from "../../../kernel/json/walk.ts";
import type { EntrySink } from "../entry.ts";
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
export function skimDocument(walk: JsonWalk, path: string, into: EntrySink): boolean {
  const messages: RecordedMessage[] = [];
  const takeMessage = (element: Row): boolean => {
    const start = element.start(WHOLE) - walk.first;
    const end = closeOf(element) - walk.first;
    const message = skimMessage(element, { file: path, line: element.line, start, end });
    if (message) messages.push(message);
    return message !== undefined;
  };
  if (!hasOpening(walk)) return false;
  const row = walk.document(RECORD, takeMessage);
  const facts = row?.kind(MESSAGES) === "list" ? skimHeader(row) : undefined;
  if (!facts) return false;
  into.entry({ kind: "header", place: { file: path, line: 1, start: 0, end: 0 }, facts });
  for (const message of messages) into.entry({ kind: "message", place: message.place, message });
  return true;
}

/**
 * Accepts only an unambiguous beginning; a saved chat is recognised by the text before its first
 * list.
 */
function hasOpening({ bytes, first, end }: JsonWalk): boolean {
  const list = bytes.indexOf("[", first);
  const opening = bytes.toString("latin1", first, list === -1 ? end : list + 1);
  return opening.startsWith(OPENING) && !isChatOpening(opening);
}

/** A message extends to the comma or bracket after it. */
function closeOf(element: Row): number {
  const { bytes } = element;
  let at = element.end(WHOLE);
  while ((bytes[at] ?? 33) <= 32 && bytes[at] !== 0) at += 1;
  return at;
}
