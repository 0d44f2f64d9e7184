import type { Message, RecordedMessage } from "../../../core/session/message.ts";
import { emptyMessage } from "../../../core/session/message.ts";
import type { Place } from "../../../core/files/place.ts";
import type { Text } from "../content.ts";
import type { Step } from "./timeline.ts";

/** Which records of a text were found: the event, the item, or both. */
type RecordedBy = "event" | "item" | "both";

/** A message under construction. */
export interface Draft {
  message: Omit<Message, "standing">;
  /** The step that determines its standing. */
  step: number;
  isCopied: boolean;
  /** Every compaction so far copied it. */
  isKept: boolean;
  /** Its texts so far, from an event or an item; the other one repeats them. */
  texts: { text: Text; from: RecordedBy }[];
  thoughts: { print: string; from: RecordedBy }[];
  /** For user messages: the record that is still missing. */
  waitsFor?: "event" | "item";
  prints: string[];
  itemId?: string;
}

export function newDraft(
  author: RecordedMessage["author"],
  { entry, strand, isCopied }: Step,
  step: number,
): Draft {
  const id = `${strand.rolloutId}:${entry.key}`;
  const message: Draft["message"] = {
    ...emptyMessage(author),
    id,
    hasRecordedCalls: true,
    form: "parts",
    signature: id,
    place: entry.place,
    places: [entry.place],
  };
  if (entry.at !== undefined) message.at = entry.at;
  return { message, step, isCopied, isKept: true, texts: [], thoughts: [], prints: [] };
}

/** Adds another place where the message is recorded. */
export function addPlace({ message }: Draft, place: Place): void {
  const known = message.places.at(-1);
  if (known?.file === place.file && known.start === place.start) return;
  message.places.push(place);
}
