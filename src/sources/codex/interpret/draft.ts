import type { Message, RecordedMessage } from "../../../core/message.ts";
import type { Place } from "../../../core/place.ts";
import type { Text } from "../rollout.ts";
import type { Step } from "./timeline.ts";

/** Which of the two records of a text was seen: the event, the item, or both. */
export type RecordedBy = "event" | "item" | "both";

/** A message while it is put together. */
export interface Draft {
  message: Omit<Message, "standing">;
  /** The number of the step that decides what became of it. */
  step: number;
  isCopied: boolean;
  /** Every compaction so far took it over. */
  isKept: boolean;
  /** Texts that stand in it so far, from an event or from an item: the other one repeats them. */
  texts: { text: Text; from: RecordedBy }[];
  thoughts: { print: string; from: RecordedBy }[];
  /** Only of a user's: its item, until its event has been seen, or the other way round. */
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
    id,
    author,
    text: "",
    isPrompt: false,
    references: [],
    injections: [],
    thoughts: [],
    toolCalls: [],
    results: [],
    attachments: [],
    hasRecordedCalls: true,
    form: "parts",
    signature: id,
    partSignatures: [],
    place: entry.place,
    places: [entry.place],
  };
  if (entry.at !== undefined) message.at = entry.at;
  return { message, step, isCopied, isKept: true, texts: [], thoughts: [], prints: [] };
}

/** It was texts of there, too. */
export function addPlace({ message }: Draft, place: Place): void {
  const known = message.places.at(-1);
  if (known?.file === place.file && known.start === place.start) return;
  message.places.push(place);
}
