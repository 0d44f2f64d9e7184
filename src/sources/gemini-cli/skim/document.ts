import type { RecordedMessage } from "../../../core/message.ts";
import type { ByteSource } from "../../../kernel/bytes.ts";
import type { EntrySink } from "../entry.ts";
import { skimHeader } from "./facts.ts";
import { FIRST, slotOf } from "./layout.ts";
import { BAD } from "./scalars.ts";
import { stubOf } from "./stub.ts";
import type { Walker } from "./walker.ts";

const MESSAGES: number = slotOf("messages");

/**
 * A document of old versions, from its beginning to its end:
 *
 *     {"sessionId": "S", …, "messages": [ {"id": "m1", …, "tokens": {…}}, … ], "summary": "…"}
 *
 * Says whether all of it could be skimmed.
 */
export function skimDocument(
  walker: Walker,
  { path }: Pick<ByteSource, "path">,
  into: EntrySink,
): boolean {
  const messages: RecordedMessage[] = [];
  const takeMessage = (start: number): number => {
    const line = walker.breaks + 1;
    const end = walker.walkMessage(start);
    if (end === BAD) return BAD;
    // A message goes on to the comma or the bracket behind it.
    const place = { file: path, line, start: start - FIRST, end: closeOf(walker, end) - FIRST };
    const message = stubOf(walker.message, place);
    if (!message) return BAD;
    messages.push(message);
    return end;
  };
  const end = walker.walkRecord(FIRST, takeMessage);
  if (end === BAD || walker.space(end) !== walker.end || !walker.row.has(MESSAGES)) return false;
  const facts = skimHeader(walker.row);
  if (!facts) return false;
  into.entry({ kind: "header", place: { file: path, line: 1, start: 0, end: 0 }, facts });
  for (const message of messages) into.entry({ kind: "message", place: message.place, message });
  return true;
}

/** Looks past white space without counting its lines. */
function closeOf({ bytes }: Walker, from: number): number {
  let at = from;
  while ((bytes[at] ?? 33) <= 32 && bytes[at] !== 0) at += 1;
  return at;
}
