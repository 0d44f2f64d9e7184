import { splitJson } from "../../kernel/json/split.ts";
import type { MessageForm, NativeLine } from "../../sources/native.ts";
import type { Json, JsonObject } from "../json/value.ts";
import { isEqual, isObject, newObject } from "../json/value.ts";
import { editsBetween, weightOf } from "../mapping/edits.ts";
import { invertEntry } from "../mapping/invert.ts";
import type { Catalogue, NativeFile } from "./catalogue.ts";
import { valueAt } from "./catalogue.ts";
import { readNative } from "./read-text.ts";

/** The entries of the record that is being written. */
export interface WrittenEntries {
  /** The index of a message's entry. */
  indexOf(id: string): number | undefined;
  at(index: number): JsonObject | undefined;
}

const PIECE_BYTES = 1 << 19;

/**
 * How to restore the files of a session from the entries of its record: one act per line, or one
 * for a whole document. Most acts only name entries; edits add what these lack.
 *
 *     {"file": 0}  {"value": {"sessionId": "S", …}}  {"entry": 0, "count": 12}
 *     {"entry": 12, "edits": [{"op": "remove", "path": "/toolCalls"}]}
 *     {"value": {"$set": {}}, "at": "/$set/messages", "list": [{"entry": 0}]}
 */
export function* actsOf(
  catalogue: Catalogue,
  entries: WrittenEntries,
  form: MessageForm,
): Iterable<Json> {
  const writer = new ActWriter(entries, form);
  const seen = new Set<string>();
  for (const [index, file] of catalogue.files.entries()) {
    // Identical files are stored once.
    if (seen.has(file.sha256)) continue;
    seen.add(file.sha256);
    yield newObject({ file: index });
    yield* joinRuns(writer.file(file));
  }
}

class ActWriter {
  readonly #entries: WrittenEntries;
  readonly #form: MessageForm;
  /** Recently inverted entries; messages are often recorded again soon after. */
  readonly #inverted = new Map<number, JsonObject>();

  constructor(entries: WrittenEntries, form: MessageForm) {
    this.#entries = entries;
    this.#form = form;
  }

  *file(file: NativeFile): Iterable<Json> {
    const shape = this.#form.shapeOf(file.format);
    if (shape === "lines") {
      for (const line of this.#form.lines(file.bytes)) if (!isBlank(line)) yield this.#line(line);
      return;
    }
    const document = shape === "document" ? this.#document(file) : undefined;
    if (document) yield document;
    else yield* piecesOf(file);
  }

  #line(line: NativeLine): Json {
    if (line.isTooLong) return newObject({ unread: line.place.end - line.place.start });
    const read = readNative(line.bytes);
    if (read.kind !== "exact") return damaged(line.bytes);
    if (!isObject(read.value)) return newObject({ value: read.value });
    const layout = this.#form.layoutOf(read.value);
    if (layout.isMessage) return this.#message(read.value, line);
    const list = layout.list && valueAt(read.value, layout.list);
    if (!layout.list || !Array.isArray(list)) return newObject({ value: read.value });
    return newObject({
      value: withoutList(read.value, layout.list),
      at: `/${layout.list.join("/")}`,
      list: [...joinRuns(list.map((item) => this.#element(item, line)))],
    });
  }

  /** Undefined if the document is damaged; its bytes are then stored unchanged. */
  #document(file: NativeFile): Json | undefined {
    const key = this.#form.names.session.messages;
    const list: Json[] = [];
    const wanted = { lists: [key], rest: "skeleton" } as const;
    const split = splitJson(file.bytes.chunks(), wanted, ({ bytes, start, line }) => {
      const place = { file: file.bytes.path, line, start, end: start + bytes.length };
      const read = readNative(bytes);
      const element = { bytes, place, isTooLong: false, isTerminated: true };
      list.push(read.kind === "exact" ? this.#element(read.value, element) : damaged(bytes));
    });
    if (!split.isComplete || split.hasOddCommas) return undefined;
    const skeleton = readNative(split.skeleton);
    if (skeleton.kind !== "exact" || !isObject(skeleton.value)) return undefined;
    if (!Array.isArray(skeleton.value[key])) return newObject({ value: skeleton.value });
    const value = withoutList(skeleton.value, [key]);
    return newObject({ value, at: `/${key}`, list: [...joinRuns(list)] });
  }

  #element(item: Json, line: NativeLine): Json {
    return isObject(item) ? this.#message(item, line) : newObject({ value: item });
  }

  /** An entry reference, with edits if needed, or the plain value if that is shorter. */
  #message(message: JsonObject, { place }: NativeLine): Json {
    const plain = newObject({ value: message });
    const index = this.#entries.indexOf(this.#form.idOf(message, place));
    const inverted = index === undefined ? undefined : this.#invert(index);
    if (index === undefined || !inverted) return plain;
    if (isEqual(inverted, message)) return newObject({ entry: index });
    const edited = newObject({ entry: index, edits: editsBetween(inverted, message) });
    return weightOf(edited) < weightOf(plain) ? edited : plain;
  }

  #invert(index: number): JsonObject | undefined {
    const known = this.#inverted.get(index);
    if (known) return known;
    const entry = this.#entries.at(index);
    if (!entry) return undefined;
    const inverted = invertEntry(entry, this.#form);
    this.#inverted.set(index, inverted);
    const [oldest] = this.#inverted.keys();
    if (this.#inverted.size > 4 && oldest !== undefined) this.#inverted.delete(oldest);
    return inverted;
  }
}

export function isBlank({ bytes }: NativeLine): boolean {
  return bytes.every((byte) => byte === 32 || (byte >= 9 && byte <= 13));
}

function withoutList(value: JsonObject, path: readonly string[]): JsonObject {
  const [key, ...rest] = path;
  const copy = newObject(value);
  if (key === undefined) return copy;
  const inner = value[key];
  if (rest.length === 0) delete copy[key];
  else if (isObject(inner)) copy[key] = withoutList(inner, rest);
  return copy;
}

/** Bytes that are not JSON or cannot be signed as JSON; stored as text if they are UTF-8. */
export function damaged(bytes: Buffer): Json {
  const text = bytes.toString("utf8");
  const isText = Buffer.from(text, "utf8").equals(bytes);
  return newObject(isText ? { text } : { base64: bytes.toString("base64") });
}

/** A whole file as base64, in pieces. */
export function* piecesOf(file: NativeFile): Iterable<Json> {
  for (const chunk of file.bytes.chunks()) {
    for (let start = 0; start < chunk.length; start += PIECE_BYTES) {
      const piece = chunk.subarray(start, start + PIECE_BYTES);
      yield newObject({ base64: piece.toString("base64") });
    }
  }
}

/** `{"entry": 3} {"entry": 4}` → `{"entry": 3, "count": 2}` */
export function* joinRuns(acts: Iterable<Json>): Iterable<Json> {
  let first = -1;
  let count = 0;
  for (const act of acts) {
    const isPlain = isObject(act) && typeof act["entry"] === "number" && !("edits" in act);
    if (isPlain && count > 0 && act["entry"] === first + count) {
      count += 1;
      continue;
    }
    if (count > 0) yield run(first, count);
    count = isPlain ? 1 : 0;
    first = isPlain ? Number(act["entry"]) : -1;
    if (!isPlain) yield act;
  }
  if (count > 0) yield run(first, count);
}

function run(entry: number, count: number): Json {
  return newObject({ entry, count: count > 1 ? count : undefined });
}
