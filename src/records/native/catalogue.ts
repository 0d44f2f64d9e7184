import { createHash } from "node:crypto";
import type { Message } from "../../core/session/message.ts";
import type { Place } from "../../core/files/place.ts";
import type { FormatName } from "../../core/files/session-file.ts";
import type { ByteSource } from "../../kernel/bytes.ts";
import { truncatedBytes } from "../../kernel/bytes.ts";
import { splitJson } from "../../kernel/json/split.ts";
import type { MessageForm, NativeLine } from "../../sources/native.ts";
import type { Json, JsonObject } from "../json/value.ts";
import { isObject, newObject } from "../json/value.ts";
import { readNative, repaired } from "./read-text.ts";

/** A file of a session. */
export interface FoundFile {
  name: string;
  format: FormatName;
  bytes: ByteSource;
}

/** The same as it was when the catalogue was made: its bytes are those read so far. */
export interface NativeFile extends FoundFile {
  sizeBytes: number;
  sha256: string;
  /** Stored as bytes instead of line by line. */
  keptAs?: "bytes";
}

/** Where a message was recorded. */
interface Occurrence {
  file: number;
  start: number;
  end: number;
  how: "own" | "listed" | Recovered;
}

/**
 * A message found in a damaged line; otherwise it is on its own line (`own`) or in a list
 * (`listed`).
 */
interface Recovered {
  index: number;
  isTerminated: boolean;
}

/** Indexes where every message of a session is recorded, and reads messages on demand. */
export class Catalogue {
  readonly files: NativeFile[] = [];
  /** Metadata of the session from its files; later values win. */
  readonly facts: JsonObject = newObject();
  readonly #form: MessageForm;
  readonly #byId = new Map<string, Occurrence[]>();

  constructor(form: MessageForm) {
    this.#form = form;
  }

  /** Reads a file once, from start to end. */
  add(file: FoundFile): void {
    const hash = createHash("sha256");
    let sizeBytes = 0;
    const { path } = file.bytes;
    const counted: ByteSource = {
      path,
      range: (start, end) => file.bytes.range(start, end),
      fill: (target) => file.bytes.fill(target),
      *chunks() {
        for (const chunk of file.bytes.chunks()) {
          hash.update(chunk);
          sizeBytes += chunk.length;
          yield chunk;
        }
      },
    };
    this.#index(counted, file.format);
    const bytes = truncatedBytes(file.bytes, sizeBytes);
    this.files.push({ ...file, bytes, sizeBytes, sha256: hash.digest("hex") });
  }

  has(id: string): boolean {
    return this.#byId.has(id);
  }

  /** All recordings of a message, merged; undefined if there are none. */
  fetch(message: Pick<Message, "id">): JsonObject | undefined {
    const found = this.#byId.get(message.id) ?? [];
    const own = found.filter(({ how }) => how !== "listed");
    // A list repeats earlier recordings, often with less detail; use it only if there is no other.
    const copies = (own.length > 0 ? own : found.slice(0, 1))
      .map((item) => this.#read(item))
      .filter((copy) => copy !== undefined);
    return copies.length === 0 ? undefined : mergeNative(copies, this.#form);
  }

  #read({ file, start, end, how }: Occurrence): JsonObject | undefined {
    const source = this.files[file];
    if (!source) return undefined;
    const bytes = source.bytes.range(start, end);
    if (typeof how === "object") {
      const place: Place = { file: source.bytes.path, line: 0, start, end };
      const line = { bytes, place, isTooLong: false, isTerminated: how.isTerminated };
      const value = repaired(this.#form.recover(line)[how.index] ?? null);
      return isObject(value) ? value : undefined;
    }
    const read = readNative(bytes);
    return read.kind !== "damaged" && isObject(read.value) ? read.value : undefined;
  }

  #index(bytes: ByteSource, format: FormatName): void {
    const shape = this.#form.shapeOf(format);
    if (shape === "document") this.#indexDocument(bytes);
    else if (shape === "lines") for (const line of this.#form.lines(bytes)) this.#indexLine(line);
    // Only its digest is needed.
    else drain(bytes.chunks());
  }

  #indexDocument(bytes: ByteSource): void {
    const wanted = { lists: [this.#form.names.session.messages], rest: "skeleton" } as const;
    const split = splitJson(bytes.chunks(), wanted, (element) => {
      const end = element.start + element.bytes.length;
      const place = { file: bytes.path, line: element.line, start: element.start, end };
      const read = readNative(element.bytes);
      if (read.kind !== "damaged") this.#note(read.value, place, "own");
    });
    const read = readNative(split.skeleton);
    if (read.kind !== "damaged" && isObject(read.value)) this.#addFacts(read.value);
  }

  #indexLine(line: NativeLine): void {
    if (line.isTooLong) return;
    const read = readNative(line.bytes);
    if (read.kind === "damaged") return this.#indexDamaged(line);
    if (!isObject(read.value)) return;
    const layout = this.#form.layoutOf(read.value);
    if (layout.isMessage) this.#note(read.value, line.place, "own");
    const facts = layout.facts && valueAt(read.value, layout.facts);
    if (isObject(facts)) this.#addFacts(facts);
    if (!layout.list) return;
    // The list in a header line is the only recording of its messages; other lists repeat them.
    const how = layout.facts?.length === 0 ? "own" : "listed";
    const wanted = { lists: [layout.list.join("/")], rest: "skeleton" } as const;
    splitJson([line.bytes], wanted, (element) => {
      const start = line.place.start + element.start;
      const place = { ...line.place, start, end: start + element.bytes.length };
      const inner = readNative(element.bytes);
      if (inner.kind !== "damaged") this.#note(inner.value, place, how);
    });
  }

  #indexDamaged(line: NativeLine): void {
    this.#form.recover(line).forEach((value, index) => {
      const record = repaired(value);
      if (!isObject(record)) return;
      const layout = this.#form.layoutOf(record);
      const { isTerminated } = line;
      if (layout.isMessage) this.#note(record, line.place, { index, isTerminated });
      const facts = layout.facts && valueAt(record, layout.facts);
      if (isObject(facts)) this.#addFacts(facts);
    });
  }

  #note(value: Json, place: Place, how: Occurrence["how"]): void {
    if (!isObject(value)) return;
    const id = this.#form.idOf(value, place);
    const { start, end } = place;
    const occurrence: Occurrence = { file: this.files.length, start, end, how };
    const known = this.#byId.get(id);
    if (known) known.push(occurrence);
    else this.#byId.set(id, [occurrence]);
  }

  /** Keeps the first start and id: a resumed session records a later start again. */
  #addFacts(facts: JsonObject): void {
    const { messages, start, id } = this.#form.names.session;
    for (const [key, value] of Object.entries(facts)) {
      const isFirst = (key === start || key === id) && this.facts[key] !== undefined;
      if (key !== messages && !isFirst) this.facts[key] = value;
    }
  }
}

export function valueAt(value: Json, path: readonly string[]): Json | undefined {
  return path.reduce<Json | undefined>(
    (inner, key) => (isObject(inner) ? inner[key] : undefined),
    value,
  );
}

function drain(chunks: Iterable<Buffer>): void {
  const all = chunks[Symbol.iterator]();
  while (all.next().done !== true);
}

/**
 * Merges several recordings of a message. Later ones win, but never erase earlier values: a later
 * one may lack tokens or calls, or have only the beginning of an output.
 */
function mergeNative(copies: readonly JsonObject[], form: MessageForm): JsonObject {
  const [first, ...later] = copies;
  return later.reduce((merged, copy) => mergeTwo(merged, copy, form), first ?? newObject());
}

function mergeTwo(earlier: JsonObject, later: JsonObject, form: MessageForm): JsonObject {
  const { calls } = form.names.message;
  const merged = newObject(earlier);
  for (const [key, value] of Object.entries(later)) {
    const known = earlier[key];
    if (known !== undefined && isNothing(value) && !isNothing(known)) continue;
    merged[key] = key === calls ? mergeCalls(known, value, form) : value;
  }
  return merged;
}

function isNothing(value: Json): boolean {
  return value === null || value === "" || (Array.isArray(value) && value.length === 0);
}

/** Merges calls by id; those of the earlier recording come first. */
function mergeCalls(earlier: Json | undefined, later: Json, form: MessageForm): Json {
  if (!Array.isArray(earlier) || !Array.isArray(later)) return later;
  const idOf = (call: Json): Json | undefined =>
    isObject(call) ? call[form.names.call.id] : undefined;
  const fresh = later.filter((call) => !earlier.some((known) => idOf(known) === idOf(call)));
  const known = earlier.map((call) => {
    const again = later.find((other) => idOf(other) === idOf(call));
    return again === undefined ? call : mergeCall(call, again, form);
  });
  return [...known, ...fresh];
}

function mergeCall(earlier: Json, later: Json, form: MessageForm): Json {
  if (!isObject(earlier) || !isObject(later)) return later;
  const { result } = form.names.call;
  const merged = newObject({ ...earlier, ...later });
  const whole = earlier[result];
  const isLess = form.isCut(later) && !form.isCut(earlier);
  if (whole !== undefined && (isNothing(later[result] ?? null) || isLess)) merged[result] = whole;
  return merged;
}
