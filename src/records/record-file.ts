import type { ByteSource } from "../kernel/bytes.ts";
import { splitJson } from "../kernel/json/split.ts";
import { canonicalBytes, canonicalChunks } from "./json/canonical.ts";
import { JsonFault, parseExactBytes } from "./json/parse.ts";
import type { Json, JsonObject } from "./json/value.ts";
import { isObject } from "./json/value.ts";

/** The lists of a record that grow with the session; everything else stays small. */
export const LONG_LISTS = ["session/entries", "session/x-native/acts"] as const;
export type LongList = (typeof LONG_LISTS)[number];

const NEWLINE = 10;

/**
 * A record read in parts: its skeleton (with the long lists empty) is in memory, elements of the
 * lists are read on demand. All of it has been parsed strictly once.
 */
export class RecordFile {
  readonly skeleton: JsonObject;
  /** The bytes are canonical, except for a trailing newline. */
  readonly isCanonical: boolean;
  readonly #bytes: ByteSource;
  readonly #sizeBytes: number;
  readonly #places: Readonly<Record<LongList, Places>>;

  /** Throws a `JsonFault` if the text is not JSON that can be signed. */
  constructor(source: ByteSource) {
    this.#bytes = source;
    this.#places = { "session/entries": new Places(), "session/x-native/acts": new Places() };
    let isCanonical = true;
    const wanted = { lists: LONG_LISTS, rest: "skeleton" } as const;
    const split = splitJson(this.#bytes.chunks(), wanted, ({ path, bytes, start }) => {
      const value = parseExactBytes(bytes);
      isCanonical &&= canonicalBytes(value).equals(bytes);
      this.#places[path as LongList].add(start, start + bytes.length);
    });
    if (!split.isComplete || split.hasOddCommas)
      throw new JsonFault("syntax", 0, "it is not JSON: brackets do not match");
    const endsLine = split.skeleton.at(-1) === NEWLINE;
    const text = endsLine ? split.skeleton.subarray(0, -1) : split.skeleton;
    const skeleton = parseExactBytes(split.skeleton);
    if (!isObject(skeleton)) throw new JsonFault("syntax", 0, "a record is an object");
    this.skeleton = skeleton;
    this.#sizeBytes = split.sizeBytes - (endsLine ? 1 : 0);
    this.isCanonical = isCanonical && !split.hasSpaces && canonicalBytes(skeleton).equals(text);
  }

  count(list: LongList): number {
    return this.#places[list].length;
  }

  /** Reads one element of a long list. */
  at(list: LongList, index: number): Json | undefined {
    const place = this.#places[list].at(index);
    return place && parseExactBytes(this.#bytes.range(...place));
  }

  *elements(list: LongList): Iterable<Json> {
    for (let index = 0; index < this.count(list); index += 1) yield this.at(list, index) ?? null;
  }

  /** The canonical bytes of the record, which are signed. */
  *canonical(): Iterable<Buffer> {
    if (!this.isCanonical) {
      yield* canonicalChunks(this.skeleton, (path) =>
        isLong(path) && this.count(path) > 0 ? this.elements(path) : undefined,
      );
      return;
    }
    let left = this.#sizeBytes;
    for (const chunk of this.#bytes.chunks()) {
      yield chunk.subarray(0, left);
      left -= Math.min(left, chunk.length);
    }
  }
}

function isLong(path: string): path is LongList {
  return (LONG_LISTS as readonly string[]).includes(path);
}

/** Byte ranges in two flat arrays, because a session may have a hundred thousand entries. */
class Places {
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];

  get length(): number {
    return this.#starts.length;
  }

  add(start: number, end: number): void {
    this.#starts.push(start);
    this.#ends.push(end);
  }

  at(index: number): [number, number] | undefined {
    const start = this.#starts[index];
    const end = this.#ends[index];
    return start === undefined || end === undefined ? undefined : [start, end];
  }
}
