import type { RecordedMessage } from "../../../model/message.ts";
import type { SkimSink, WholeFile } from "../../source.ts";
import type { Json } from "../formats/fields.ts";
import { skimHeader } from "./facts.ts";
import { walkRecord } from "./record.ts";
import { FIRST } from "./string-end.ts";
import { stubOf } from "./stub.ts";
import type { Walker } from "./walker.ts";
import { BAD } from "./walker.ts";

/**
 * A document of old versions, from its beginning to its end:
 *
 *     {"sessionId": "S", …, "messages": [ {"id": "m1", …, "tokens": {…}}, … ], "summary": "…"}
 *
 * Says whether all of it could be skimmed.
 */
export function skimDocument(walker: Walker, { path }: WholeFile, into: SkimSink): boolean {
  const messages: RecordedMessage[] = [];
  const top: Json = {};
  const takeMessage = (start: number): number => {
    const record: Json = {};
    const line = walker.breaks + 1;
    const end = walkRecord(walker, start, { record });
    if (end === BAD) return BAD;
    // A message goes on to the comma or the bracket behind it.
    const place = { file: path, line, start: start - FIRST, end: closeOf(walker, end) - FIRST };
    const message = stubOf(record, place);
    if (!message) return BAD;
    messages.push(message);
    return end;
  };
  const onMessages = (at: number): number => walker.list(at, takeMessage);
  const end = walkRecord(walker, FIRST, { record: top, onMessages });
  if (end === BAD || walker.space(end) !== walker.end || !("messages" in top)) return false;
  const header = skimHeader(top);
  if (!header) return false;
  const place = { file: path, line: 1, start: 0, end: 0 };
  into.entry({ kind: "header", place, facts: header.facts });
  for (const message of messages) into.entry({ kind: "message", place: message.place, message });
  return true;
}

/** Looks past white space without counting its lines. */
function closeOf({ bytes }: Walker, from: number): number {
  let at = from;
  while ((bytes[at] ?? 33) <= 32 && bytes[at] !== 0) at += 1;
  return at;
}
