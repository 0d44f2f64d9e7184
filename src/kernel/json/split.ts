import { ByteRecorder } from "./byte-recorder.ts";

/**
 * Splits a JSON text of any size into pieces, chunk by chunk, without building it:
 *
 *     {"id": "r", "session": {"entries": [ {…}, {…} ], "format": "interactive"}}
 *      ^ field     ^ path     session/entries  ^ element
 *
 * Elements are those of the wanted lists. The rest is returned field by field, or as a skeleton:
 * the text with these lists empty. A truncated text still yields every piece before the cut. Only
 * the nesting is checked: callers find other errors when they parse the pieces.
 */
export interface Wanted {
  /** Paths of lists: keys joined with slashes; `""` if the text itself is a list. */
  lists: readonly string[];
  /** Whether the rest is returned as pieces (one per outermost field) or as the skeleton. */
  rest: "fields" | "skeleton";
}

export interface Piece {
  /** The key of a field; for an element, the path of its list. */
  path: string;
  isElement: boolean;
  /** The bytes before the next comma or bracket. Valid only during the call. */
  bytes: Buffer;
  start: number;
  /** 1-based line on which the piece begins. */
  line: number;
}

export interface SplitEnd {
  /** All brackets were closed. */
  isComplete: boolean;
  /** Commas were missing between elements, or there were too many. */
  hasOddCommas: boolean;
  /** There was white space between elements. */
  hasSpaces: boolean;
  /** Total size of the text. */
  sizeBytes: number;
  /** Line and offset of the first byte that is not part of a complete piece. */
  line: number;
  offset: number;
  /** Bytes after a complete text, excluding white space. */
  trailingBytes: number;
  /** Empty if the rest was returned as fields. */
  skeleton: Buffer;
}

const NEWLINE = 10;
const SPACE = 32;
const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const OPEN_LIST = 91;
const BACKSLASH = 92;
const CLOSE_LIST = 93;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;

export function splitJson(
  chunks: Iterable<Buffer>,
  wanted: Wanted,
  visit: (piece: Piece) => void,
): SplitEnd {
  const splitter = new Splitter(wanted, visit);
  for (const chunk of chunks) splitter.push(chunk);
  return splitter.end();
}

/** An object that contains a wanted list, directly or nested, or such a list itself. */
interface Level {
  path: string;
  /** The token expected next. */
  expects: "key" | "colon" | "value" | "element";
  /** Key of the current field. */
  key: string;
  elements: number;
  commas: number;
}

class Splitter {
  readonly #rest: Wanted["rest"];
  readonly #visit: (piece: Piece) => void;
  readonly #lists: ReadonlySet<string>;
  /** Paths of the objects that contain wanted lists. */
  readonly #ways: ReadonlySet<string>;
  /** Outermost first; pieces begin and end on the innermost level. */
  readonly #levels: Level[] = [];
  /** Number of open brackets inside the innermost level. */
  #depth = 0;
  #state: "before" | "inside" | "after" = "before";
  #isInString = false;
  #isEscaped = false;
  /** The current key, field or element. */
  readonly #current = new ByteRecorder();
  #currentLine = 1;
  readonly #skeleton = new ByteRecorder();
  /** Offset of the current chunk. */
  #offset = 0;
  #line = 1;
  /** Offset of the next line break in the chunk; -1 if not yet searched for. */
  #nextBreak = -1;
  readonly #end = { hasOddCommas: false, hasSpaces: false, line: 1, offset: 0, trailingBytes: 0 };

  constructor({ lists, rest }: Wanted, visit: (piece: Piece) => void) {
    this.#rest = rest;
    this.#visit = visit;
    this.#lists = new Set(lists);
    this.#ways = new Set(["", ...lists.flatMap(waysTo)]);
    if (rest === "skeleton") this.#skeleton.begin(0);
  }

  push(chunk: Buffer): void {
    for (let at = 0; at < chunk.length; at += 1) {
      if (this.#isInString) at = this.#skipString(chunk, at);
      else if (this.#depth === 0 || (chunk[at] as number) > SPACE) this.#structure(chunk, at);
    }
    this.#countLines(chunk, chunk.length);
    this.#current.keep(chunk, this.#offset);
    this.#skeleton.keep(chunk, this.#offset);
    this.#offset += chunk.length;
    this.#nextBreak = -1;
  }

  end(): SplitEnd {
    const isComplete = this.#state === "after";
    const skeleton = this.#skeleton.take(Buffer.alloc(0), this.#offset);
    return { ...this.#end, isComplete, sizeBytes: this.#offset, skeleton };
  }

  /**
   * Skips to the closing quote or the end of the chunk. Returns the offset of the last byte
   * consumed.
   */
  #skipString(chunk: Buffer, from: number): number {
    let at = this.#isEscaped ? from + 1 : from;
    this.#isEscaped = false;
    for (;;) {
      const quote = chunk.indexOf(QUOTE, at);
      const stop = quote === -1 ? chunk.length : quote;
      // A quote ends the string if an even number of backslashes precedes it.
      let slashes = 0;
      while (stop - slashes > at && chunk[stop - slashes - 1] === BACKSLASH) slashes += 1;
      if (quote === -1) {
        this.#isEscaped = slashes % 2 === 1;
        return chunk.length;
      }
      at = quote + 1;
      if (slashes % 2 === 0) break;
    }
    this.#isInString = false;
    const level = this.#levels.at(-1);
    if (level?.expects === "key") {
      level.key = keyOf(this.#current.take(chunk.subarray(0, at - 1), this.#offset));
      level.expects = "colon";
    }
    return at - 1;
  }

  #structure(chunk: Buffer, at: number): void {
    const byte = chunk[at] as number;
    const level = this.#depth === 0 ? this.#levels.at(-1) : undefined;
    if (level && this.#isBetween(level, chunk, at)) return;
    if (byte <= SPACE) return;
    if (this.#state === "after") this.#end.trailingBytes += 1;
    else if (byte === OPEN_OBJECT || byte === OPEN_LIST) this.#open(chunk, at);
    else if (this.#state === "before") return;
    else if (byte === QUOTE) this.#isInString = true;
    else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) this.#close();
  }

  #open(chunk: Buffer, at: number): void {
    const isFirst = this.#state === "before";
    this.#state = "inside";
    if (!isFirst || !this.#openLevel("", chunk, at)) this.#depth += 1;
  }

  /** Closes a bracket inside a piece, or of a text that has no levels. */
  #close(): void {
    this.#depth -= 1;
    if (this.#depth === 0 && this.#levels.length === 0) this.#state = "after";
  }

  /**
   * Handles keys, colons, commas and brackets of a level. Returns true if the byte belongs to no
   * value.
   */
  #isBetween(level: Level, chunk: Buffer, at: number): boolean {
    const byte = chunk[at] as number;
    if (byte === COMMA || byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
      this.#finish(level, chunk, at);
      if (byte !== COMMA) this.#closeLevel(level, this.#offset + at);
      else if (level.expects === "element") level.commas += 1;
      else level.expects = "key";
      return true;
    }
    if (this.#current.isOn) return false;
    if (byte <= SPACE) {
      if (level.expects === "element") this.#end.hasSpaces = true;
      return true;
    }
    if (level.expects === "key") {
      if (byte === QUOTE) this.#current.begin(this.#offset + at + 1);
      return byte !== QUOTE;
    }
    if (level.expects === "colon") {
      if (byte === COLON) level.expects = "value";
      return true;
    }
    return this.#begin(level, chunk, at);
  }

  /** Begins a field or an element. Returns true if it opens a new level. */
  #begin(level: Level, chunk: Buffer, at: number): boolean {
    const isElement = level.expects === "element";
    // An empty key, or one that contains a slash, cannot be part of a path to a list.
    const mayLead = !isElement && level.key !== "" && !level.key.includes("/");
    if (mayLead && this.#openLevel(pathOf(level), chunk, at)) return true;
    if (!isElement && this.#rest === "skeleton") return false;
    this.#countLines(chunk, at);
    this.#currentLine = this.#line;
    this.#current.begin(this.#offset + at);
    return false;
  }

  #openLevel(path: string, chunk: Buffer, at: number): boolean {
    const isObject = chunk[at] === OPEN_OBJECT && this.#ways.has(path);
    const isList = chunk[at] === OPEN_LIST && this.#lists.has(path);
    if (!isObject && !isList) return false;
    const expects = isObject ? "key" : "element";
    this.#levels.push({ path, expects, key: "", elements: 0, commas: 0 });
    if (isList) this.#skeleton.pause(chunk.subarray(0, at + 1), this.#offset);
    return true;
  }

  #closeLevel({ expects, elements, commas }: Level, offset: number): void {
    this.#levels.pop();
    if (expects === "element") {
      this.#end.hasOddCommas ||= commas !== Math.max(0, elements - 1);
      if (this.#rest === "skeleton") this.#skeleton.begin(offset);
    }
    if (this.#levels.length === 0) this.#state = "after";
  }

  #finish(level: Level, chunk: Buffer, at: number): void {
    if (!this.#current.isOn) return;
    const { start } = this.#current;
    const bytes = this.#current.take(chunk.subarray(0, at), this.#offset);
    const isElement = level.expects === "element";
    if (isElement) level.elements += 1;
    this.#countLines(chunk, at);
    this.#end.offset = this.#offset + at;
    this.#end.line = this.#line;
    const path = isElement ? level.path : pathOf(level);
    this.#visit({ path, isElement, bytes, start, line: this.#currentLine });
  }

  /** Searches for every line break only once, however many pieces precede it. */
  #countLines(chunk: Buffer, to: number): void {
    while (this.#nextBreak < to) {
      this.#line += this.#nextBreak < 0 ? 0 : 1;
      const found = chunk.indexOf(NEWLINE, this.#nextBreak + 1);
      this.#nextBreak = found === -1 ? Number.POSITIVE_INFINITY : found;
    }
  }
}

/** `a/b/c` → ``, `a`, `a/b` */
function waysTo(list: string): string[] {
  const keys = list.split("/");
  return keys.map((_key, at) => keys.slice(0, at).join("/"));
}

function pathOf({ path, key }: Level): string {
  return path === "" ? key : `${path}/${key}`;
}

function keyOf(bytes: Buffer): string {
  const text = bytes.toString("utf8");
  if (!text.includes("\\")) return text;
  try {
    return JSON.parse(`"${text}"`) as string;
  } catch {
    // Invalid escape: the caller's parser will report it.
    return text;
  }
}
