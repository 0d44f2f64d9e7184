import type { ByteSource } from "../../kernel/bytes.ts";
import { parseJsonText } from "./parse.ts";

/**
 * Splits one big JSON document into its fields and the elements of its lists without building it:
 *
 *     {"sessionId": "S", "messages": [ {…}, {…} ]}      [ {…}, {…} ]
 *      ^ field            ^ list  ^ element
 *
 * A cut document still gives every element before the cut. What comes out is bytes, not yet JSON:
 * whoever parses them reports what is wrong with them.
 */
export interface Unit {
  /** The field's name; of an element, the name of its list (`""` for a top-level list). */
  key: string;
  isElement: boolean;
  /** Valid only during the call. */
  bytes: Buffer;
  start: number;
  line: number;
}

export interface DocumentEnd {
  isComplete: boolean;
  /** Line and offset of the first byte that belongs to nothing complete. */
  line: number;
  offset: number;
  /** Bytes behind a complete document, white space left out. */
  trailingBytes: number;
}

const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const OPEN_LIST = 91;
const BACKSLASH = 92;
const CLOSE_LIST = 93;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;
const NEWLINE = 10;
/** A unit above this cannot become a string; its bytes are given cut, and will not parse. */
const MAX_UNIT_BYTES = 400 * 1024 * 1024;

export function splitDocument(
  source: ByteSource,
  lists: readonly string[],
  visit: (unit: Unit) => void,
): DocumentEnd {
  const splitter = new Splitter(lists, visit);
  for (const chunk of source.chunks()) splitter.push(chunk);
  return splitter.end();
}

type State = "before" | "key" | "colon" | "value" | "element" | "after";

class Splitter {
  readonly #lists: readonly string[];
  readonly #visit: (unit: Unit) => void;
  #state: State = "before";
  #root: "object" | "list" = "object";
  /** Depth at which the units of the moment lie. */
  #unitDepth = 1;
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  #key = "";
  /** Offset of the unit or key being collected; -1 when there is none. */
  #from = -1;
  #fromLine = 1;
  #pieces: Buffer[] = [];
  #piecesLength = 0;
  #offset = 0;
  #line = 1;
  #countedTo = 0;
  #lastEnd = 0;
  #lastLine = 1;
  #trailingBytes = 0;

  constructor(lists: readonly string[], visit: (unit: Unit) => void) {
    this.#lists = lists;
    this.#visit = visit;
  }

  push(chunk: Buffer): void {
    for (let at = 0; at < chunk.length; at += 1) {
      if (this.#isInString) {
        at = this.#skipString(chunk, at);
        continue;
      }
      const byte = chunk[at] as number;
      if (byte > 32) this.#structure(chunk, at, byte);
    }
    this.#keep(chunk, chunk.length);
    this.#countLines(chunk, chunk.length);
    this.#offset += chunk.length;
    this.#countedTo = 0;
  }

  end(): DocumentEnd {
    return {
      isComplete: this.#state === "after",
      line: this.#lastLine,
      offset: this.#lastEnd,
      trailingBytes: this.#trailingBytes,
    };
  }

  /** Goes to the closing quote or the end of the chunk; returns the last byte used. */
  #skipString(chunk: Buffer, from: number): number {
    let at = this.#isEscaped ? from + 1 : from;
    this.#isEscaped = false;
    let quote: number;
    for (;;) {
      quote = chunk.indexOf(QUOTE, at);
      const stop = quote === -1 ? chunk.length : quote;
      // A quote is real when an even number of backslashes stands before it.
      let slashes = 0;
      while (stop - slashes > at && chunk[stop - slashes - 1] === BACKSLASH) slashes += 1;
      const isEscaped = slashes % 2 === 1;
      if (quote === -1) {
        this.#isEscaped = isEscaped;
        return chunk.length;
      }
      if (!isEscaped) break;
      at = quote + 1;
    }
    this.#isInString = false;
    if (this.#state === "key" && this.#depth === 1) this.#takeKey(chunk, quote);
    return quote;
  }

  #structure(chunk: Buffer, at: number, byte: number): void {
    if (this.#state === "before") return this.#begin(byte);
    if (this.#state === "after") {
      this.#trailingBytes += 1;
      return;
    }
    const isUnitLevel = this.#depth === this.#unitDepth;
    if (isUnitLevel && this.#atUnitLevel(chunk, at, byte)) return;
    if (byte === QUOTE) this.#isInString = true;
    else if (byte === OPEN_OBJECT || byte === OPEN_LIST) this.#depth += 1;
    else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) this.#depth -= 1;
  }

  #begin(byte: number): void {
    if (byte === OPEN_OBJECT) {
      this.#state = "key";
    } else if (byte === OPEN_LIST) {
      this.#root = "list";
      this.#state = "element";
    } else return;
    this.#depth = 1;
  }

  /** Structure between units: keys, colons, commas, brackets. True when the byte is dealt with. */
  #atUnitLevel(chunk: Buffer, at: number, byte: number): boolean {
    if (byte === COMMA || byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
      this.#emit(chunk, at);
      this.#afterUnit(byte);
      return true;
    }
    if (this.#state === "key") {
      if (byte !== QUOTE) return true;
      this.#open(chunk, at + 1);
      this.#isInString = true;
      return true;
    }
    if (this.#state === "colon") {
      if (byte === COLON) this.#state = "value";
      return true;
    }
    if (this.#from === -1) {
      if (this.#state === "value" && byte === OPEN_LIST && this.#lists.includes(this.#key)) {
        this.#state = "element";
        this.#depth += 1;
        this.#unitDepth = 2;
        return true;
      }
      this.#open(chunk, at);
    }
    return false;
  }

  #afterUnit(byte: number): void {
    if (byte === COMMA) {
      if (this.#state !== "element") this.#state = "key";
      return;
    }
    this.#depth -= 1;
    if (this.#unitDepth === 2) {
      this.#unitDepth = 1;
      this.#state = "value";
      return;
    }
    this.#state = "after";
  }

  #open(chunk: Buffer, at: number): void {
    this.#countLines(chunk, at);
    this.#from = this.#offset + at;
    this.#fromLine = this.#line;
  }

  #takeKey(chunk: Buffer, end: number): void {
    const text = this.#collect(chunk, end).toString("utf8");
    this.#key = text.includes("\\") ? unescaped(text) : text;
    this.#state = "colon";
  }

  #emit(chunk: Buffer, at: number): void {
    if (this.#from === -1) return;
    const start = this.#from;
    const line = this.#fromLine;
    const bytes = this.#collect(chunk, at);
    const isElement = this.#state === "element";
    const key = isElement && this.#root === "list" ? "" : this.#key;
    this.#countLines(chunk, at);
    this.#lastEnd = this.#offset + at;
    this.#lastLine = this.#line;
    this.#visit({ key, isElement, bytes, start, line });
  }

  /** The bytes from where collecting began to `end`, and collecting ends. */
  #collect(chunk: Buffer, end: number): Buffer {
    const from = Math.max(0, this.#from - this.#offset);
    const last = chunk.subarray(from, end);
    const bytes = this.#pieces.length === 0 ? last : Buffer.concat([...this.#pieces, last]);
    this.#from = -1;
    this.#pieces = [];
    this.#piecesLength = 0;
    return bytes;
  }

  /** At the end of a chunk: saves what is being collected, for the chunk's memory is used again. */
  #keep(chunk: Buffer, end: number): void {
    if (this.#from === -1 || this.#piecesLength > MAX_UNIT_BYTES) return;
    const piece = Buffer.from(chunk.subarray(Math.max(0, this.#from - this.#offset), end));
    this.#pieces.push(piece);
    this.#piecesLength += piece.length;
  }

  #countLines(chunk: Buffer, to: number): void {
    let at = chunk.indexOf(NEWLINE, this.#countedTo);
    while (at !== -1 && at < to) {
      this.#line += 1;
      at = chunk.indexOf(NEWLINE, at + 1);
    }
    this.#countedTo = Math.max(this.#countedTo, to);
  }
}

function unescaped(text: string): string {
  const parsed = parseJsonText(`"${text}"`);
  return parsed.isJson && typeof parsed.value === "string" ? parsed.value : text;
}
