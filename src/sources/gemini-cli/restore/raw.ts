import type { Message } from "../../../core/message.ts";
import type { Place } from "../../../core/place.ts";
import type { ByteSource } from "../../../kernel/bytes.ts";
import type { Json } from "../../decoding/fields.ts";
import { asList, asObject } from "../../decoding/fields.ts";
import { parseJson } from "../../decoding/parse.ts";

/** Gives the bytes of a recorded file, from the disk or from the archive. */
export type OpenBytes = (file: string) => ByteSource;

/**
 * The record of a message as Gemini CLI wrote it, with what later copies of it added: the reader's
 * own model leaves out what only Gemini CLI needs (thought signatures, parts of results).
 */
export function rawRecord(message: Message, open: OpenBytes): Json | undefined {
  const records = message.places.flatMap((place) => recordAt(place, message.id, open) ?? []);
  const [first, ...later] = records.map(({ record }) => record);
  if (!first) return undefined;
  const own = records.findLast(({ isOwn }) => isOwn)?.record ?? first;
  return fill(own, [...later, first]);
}

/** What a copy lacks is taken from another; an empty list or text is a lack. */
function fill(record: Json, others: readonly Json[]): Json {
  const filled: Json = { ...record };
  for (const key of ["tokens", "model", "thoughts", "toolCalls", "displayContent", "content"]) {
    if (isSomething(filled[key])) continue;
    const other = others.find((candidate) => isSomething(candidate[key]));
    if (other) filled[key] = other[key];
  }
  return filled;
}

function isSomething(value: unknown): boolean {
  if (value === undefined || value === null || value === "") return false;
  return !Array.isArray(value) || value.length > 0;
}

interface FoundRecord {
  record: Json;
  /** It stands on its own, not in a list of all messages. */
  isOwn: boolean;
}

function recordAt(place: Place, id: string, open: OpenBytes): FoundRecord | undefined {
  const parsed = parseJson(open(place.file).range(place.start, place.end));
  const value = parsed.isJson ? asObject(parsed.value) : undefined;
  if (!value) return undefined;
  if (value["id"] === id) return { record: value, isOwn: true };
  const listed = asList(asObject(value["$set"])?.["messages"]) ?? asList(value["messages"]) ?? [];
  const record = listed.map(asObject).find((item) => item?.["id"] === id);
  return record && { record, isOwn: false };
}
