import type { Message } from "../../../core/session/message.ts";
import type { Place } from "../../../core/files/place.ts";
import type { ByteSource } from "../../../kernel/bytes.ts";
import { memoryBytes } from "../../../kernel/bytes.ts";
import type { Json } from "../../decoding/fields.ts";
import { asList, asObject } from "../../decoding/fields.ts";
import { parseJson } from "../../decoding/parse.ts";

/** Opens a recorded file, from disk or from the archive. */
export type OpenBytes = (file: string) => ByteSource;

/**
 * Returns message records as Gemini CLI wrote them, completed from later copies. The reader's model
 * leaves out what only Gemini CLI needs (thought signatures, parts of results). A line that lists
 * all messages is parsed once, not once per message.
 */
export class RawRecords {
  readonly #open: OpenBytes;
  readonly #files = new Map<string, Pick<ByteSource, "range">>();
  readonly #lists = new Map<string, ReadonlyMap<unknown, Json>>();

  constructor(open: OpenBytes) {
    this.#open = open;
  }

  of(message: Message): Json | undefined {
    const records = message.places.flatMap((place) => this.#at(place, message.id) ?? []);
    const [first, ...later] = records.map(({ record }) => record);
    if (!first) return undefined;
    const own = records.findLast(({ isOwn }) => isOwn)?.record ?? first;
    return fill(own, [...later, first]);
  }

  #at(place: Place, id: string): FoundRecord | undefined {
    const key = `${place.start} ${place.file}`;
    const listed = this.#lists.get(key);
    if (listed) return inList(listed, id);
    const parsed = parseJson(this.#bytesOf(place.file).range(place.start, place.end));
    const value = parsed.isJson ? asObject(parsed.value) : undefined;
    if (!value) return undefined;
    if (value["id"] === id) return { record: value, isOwn: true };
    const list = asList(asObject(value["$set"])?.["messages"]) ?? asList(value["messages"]) ?? [];
    // The first of several records with one id counts, as in the reader.
    const pairs = list.map(asObject).flatMap((item) => (item ? [[item["id"], item] as const] : []));
    const byId = new Map(pairs.toReversed());
    this.#lists.set(key, byId);
    return inList(byId, id);
  }

  /** Opens each file once, and reads it into memory if it is not too large. */
  #bytesOf(file: string): Pick<ByteSource, "range"> {
    const known = this.#files.get(file);
    if (known) return known;
    const source = this.#open(file);
    const whole = source.range(0, MAX_WHOLE_BYTES + 1);
    const bytes = whole.length > MAX_WHOLE_BYTES ? source : memoryBytes(file, whole);
    this.#files.set(file, bytes);
    return bytes;
  }
}

const MAX_WHOLE_BYTES = 64 * 1024 * 1024;

function inList(list: ReadonlyMap<unknown, Json>, id: string): FoundRecord | undefined {
  const record = list.get(id);
  return record && { record, isOwn: false };
}

/** Fills missing fields from other copies; an empty list or text counts as missing. */
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
  /** The record is separate, not in a list of all messages. */
  isOwn: boolean;
}
