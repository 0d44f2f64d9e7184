import type { Json } from "../formats/fields.ts";
import { BAD } from "./walker.ts";
import type { Walker } from "./walker.ts";

/** What is done with a value: it is taken, or only what kind of thing it is. */
type Use = "value" | "kind";

const WANTED: Readonly<Record<string, Use>> = {
  id: "value",
  timestamp: "value",
  type: "value",
  model: "value",
  tokens: "value",
  content: "kind",
  parts: "kind",
  toolCalls: "kind",
  messages: "kind",
  $set: "value",
  $rewindTo: "value",
  sessionId: "value",
  projectHash: "value",
  startTime: "value",
  lastUpdated: "value",
  kind: "value",
  summary: "kind",
  hasResumableContent: "kind",
  firstUserMessage: "kind",
};

interface Wanted {
  name: string;
  bytes: Buffer;
  use: Use;
}

/** By length and the first two bytes: no two of them are alike. */
const BY_SHAPE: ReadonlyMap<number, Wanted> = new Map(
  Object.entries(WANTED).map(([name, use]) => {
    const bytes = Buffer.from(name);
    return [shapeOf(bytes, 0, bytes.length), { name, bytes, use }];
  }),
);

function shapeOf(bytes: Buffer, start: number, end: number): number {
  return ((end - start) << 16) | ((bytes[start] ?? 0) << 8) | (bytes[start + 1] ?? 0);
}

export interface Into {
  record: Json;
  /** Takes the list of messages instead of looking at its kind; says where it ends. */
  onMessages?: (at: number) => number;
}

/**
 * Walks over a record, and puts what is wanted of it into an object. A key that is escaped or given
 * twice is for the reader. Says where the record ends.
 */
export function walkRecord(walker: Walker, at: number, { record, onMessages }: Into): number {
  return walker.object(at, (start, end, value) => {
    const wanted = wantedOf(walker.bytes, start, end);
    if (wanted === "unclear") return BAD;
    if (wanted === undefined) return walker.value(value);
    const { name, use } = wanted;
    if (name in record) return BAD;
    if (onMessages && name === "messages") {
      record[name] = NONE;
      return onMessages(value);
    }
    const behind = walker.value(value);
    if (behind === BAD) return BAD;
    record[name] = use === "kind" ? kindOf(walker, value, behind) : valueOf(walker, value, behind);
    return behind;
  });
}

function wantedOf(bytes: Buffer, start: number, end: number): Wanted | "unclear" | undefined {
  const found = BY_SHAPE.get(shapeOf(bytes, start, end));
  if (found && isSame(found.bytes, bytes, start)) return found;
  for (let at = start; at < end; at += 1) if (bytes[at] === 92) return "unclear";
  return undefined;
}

/** For a few bytes quicker than any call that compares many. */
function isSame(name: Buffer, bytes: Buffer, start: number): boolean {
  for (let at = 0; at < name.length; at += 1) if (name[at] !== bytes[start + at]) return false;
  return true;
}

const SOMETHING: readonly unknown[] = [0];
const NONE: readonly unknown[] = [];

/** A text, a list with or without something in it, or anything else. */
function kindOf({ bytes }: Walker, start: number, end: number): unknown {
  const first = bytes[start];
  if (first === 34) return end - start > 2 ? "…" : "";
  if (first === 91) return isEmptyList(bytes, start, end) ? NONE : SOMETHING;
  return first === 110 ? null : {};
}

function isEmptyList(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start + 1; at < end - 1; at += 1) if ((bytes[at] ?? 0) > 32) return false;
  return true;
}

function valueOf({ bytes }: Walker, start: number, end: number): unknown {
  if (bytes[start] === 34) {
    const text = bytes.toString("latin1", start + 1, end - 1);
    if (!text.includes("\\")) return text;
  }
  return JSON.parse(bytes.toString("latin1", start, end));
}
