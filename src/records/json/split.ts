/**
 * Cuts the elements of long lists out of a big JSON text without building it:
 *
 *     {"id":"r","session":{"entries":[{…},{…}],"format":"interactive"}}
 *                          ^ path     ^ element
 *
 * What is left, with the lists empty, is the skeleton. Nothing is checked here beyond the nesting:
 * whoever parses the pieces finds out what is wrong with them.
 */
export interface Split {
  skeleton: Buffer;
  /** All bytes of the text. */
  sizeBytes: number;
  /** Spaces stand between the elements. */
  hasSpaces: boolean;
  /** Everything that was opened was closed, and one comma stands between two elements. */
  isWhole: boolean;
}

export interface Element {
  /** The keys that lead to its list, joined with slashes: `session/entries`. */
  path: string;
  /** Valid only during the call. */
  bytes: Buffer;
  start: number;
  /** 1-based line on which it begins. */
  line: number;
}

const NEWLINE = 10;
const QUOTE = 34;
const COMMA = 44;
const OPEN_LIST = 91;
const BACKSLASH = 92;
const CLOSE_LIST = 93;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;

export function splitLists(
  chunks: Iterable<Buffer>,
  paths: ReadonlySet<string>,
  visit: (element: Element) => void,
): Split {
  const splitter = new Splitter(paths, visit);
  for (const chunk of chunks) splitter.push(chunk);
  return splitter.end();
}

class Splitter {
  readonly #paths: ReadonlySet<string>;
  readonly #visit: (element: Element) => void;
  readonly #maxDepth: number;
  /** Keys of the open objects, outermost first; `undefined` for a list. */
  readonly #keys: (string | undefined)[] = [];
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  /** The string that is being read stands where a key may stand. */
  #isKey = false;
  /** Inside a long list: its path, and the depth of its elements. */
  #list: { path: string; depth: number } | undefined;
  /** Where the piece that is being collected began; -1 between the elements of a long list. */
  #from = 0;
  #fromLine = 1;
  #keyFrom = 0;
  #pieces: Buffer[] = [];
  #skeleton: Buffer[] = [];
  #offset = 0;
  #line = 1;
  #countedTo = 0;
  #hasSpaces = false;
  #elements = 0;
  #commas = 0;
  #hasOddCommas = false;

  constructor(paths: ReadonlySet<string>, visit: (element: Element) => void) {
    this.#paths = paths;
    this.#visit = visit;
    this.#maxDepth = Math.max(...[...paths].map((path) => path.split("/").length));
  }

  push(chunk: Buffer): void {
    for (let at = 0; at < chunk.length; at += 1) {
      if (this.#isInString) at = this.#skipString(chunk, at);
      else this.#structure(chunk, at, chunk[at] as number);
    }
    if (this.#from !== -1) {
      this.#pieces.push(Buffer.from(this.#rest(chunk, chunk.length)));
      this.#from = this.#offset + chunk.length;
    }
    this.#countLines(chunk, chunk.length);
    this.#countedTo = 0;
    this.#offset += chunk.length;
  }

  end(): Split {
    const isClosed = this.#depth === 0 && !this.#isInString && this.#list === undefined;
    return {
      skeleton: Buffer.concat([...this.#skeleton, ...this.#pieces]),
      sizeBytes: this.#offset,
      hasSpaces: this.#hasSpaces,
      isWhole: isClosed && !this.#hasOddCommas,
    };
  }

  /** Goes to the closing quote, or to the end of the chunk; gives the last byte used. */
  #skipString(chunk: Buffer, from: number): number {
    let at = this.#isEscaped ? from + 1 : from;
    this.#isEscaped = false;
    for (;;) {
      const quote = chunk.indexOf(QUOTE, at);
      const stop = quote === -1 ? chunk.length : quote;
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
    if (this.#isKey) this.#takeKey(chunk, at - 1);
    return at - 1;
  }

  #structure(chunk: Buffer, at: number, byte: number): void {
    if (this.#list && this.#depth === this.#list.depth) {
      if (this.#betweenElements(chunk, at, byte)) return;
    }
    if (byte === QUOTE) {
      this.#isInString = true;
      this.#isKey = this.#list === undefined && this.#mayBeKey();
      this.#keyFrom = this.#offset + at + 1;
    } else if (byte === OPEN_OBJECT) this.#open("");
    else if (byte === OPEN_LIST) this.#openList(chunk, at);
    else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) this.#close();
    else if (byte === COMMA && this.#list === undefined) this.#expectKey();
  }

  /** On the level of the elements of a long list. True when the byte belongs to no element. */
  #betweenElements(chunk: Buffer, at: number, byte: number): boolean {
    if (byte === COMMA || byte === CLOSE_LIST) {
      this.#emit(chunk, at);
      if (byte === COMMA) {
        this.#commas += 1;
        return true;
      }
      this.#hasOddCommas ||= this.#commas !== Math.max(0, this.#elements - 1);
      this.#list = undefined;
      this.#from = this.#offset + at;
      return false;
    }
    if (this.#from !== -1) return false;
    if (byte <= 32) {
      this.#hasSpaces = true;
      return true;
    }
    this.#countLines(chunk, at);
    this.#fromLine = this.#line;
    this.#from = this.#offset + at;
    return false;
  }

  #emit(chunk: Buffer, at: number): void {
    if (this.#from === -1 || !this.#list) return;
    const last = this.#rest(chunk, at);
    const pieces = this.#pieces;
    const start = this.#from - pieces.reduce((sum, piece) => sum + piece.length, 0);
    const bytes = pieces.length === 0 ? last : Buffer.concat([...pieces, last]);
    this.#pieces = [];
    this.#from = -1;
    this.#elements += 1;
    this.#visit({ path: this.#list.path, bytes, start, line: this.#fromLine });
  }

  #openList(chunk: Buffer, at: number): void {
    const path = this.#depth <= this.#maxDepth ? this.#keys.join("/") : "";
    this.#open(undefined);
    if (this.#list !== undefined || !this.#paths.has(path)) return;
    this.#skeleton.push(...this.#pieces, Buffer.from(this.#rest(chunk, at + 1)));
    this.#pieces = [];
    this.#from = -1;
    this.#elements = 0;
    this.#commas = 0;
    this.#list = { path, depth: this.#depth };
  }

  #open(key: string | undefined): void {
    this.#depth += 1;
    if (this.#depth <= this.#maxDepth) this.#keys.push(key);
  }

  #close(): void {
    if (this.#depth <= this.#maxDepth) this.#keys.pop();
    this.#depth -= 1;
  }

  /** Keys are only looked at where a long list may lie below them. */
  #mayBeKey(): boolean {
    return this.#depth <= this.#maxDepth && this.#keys.at(-1) === "";
  }

  #expectKey(): void {
    if (this.#depth > this.#maxDepth || this.#keys.at(-1) === undefined) return;
    this.#keys[this.#keys.length - 1] = "";
  }

  #takeKey(chunk: Buffer, end: number): void {
    const begin = this.#keyFrom - this.#offset;
    // A key that began in an earlier chunk: its first bytes are the end of what was collected.
    const early = begin < 0 ? Buffer.concat(this.#pieces).subarray(begin) : Buffer.alloc(0);
    const key = Buffer.concat([early, chunk.subarray(Math.max(0, begin), end)]);
    this.#keys[this.#keys.length - 1] = key.toString("latin1");
    this.#isKey = false;
  }

  #countLines(chunk: Buffer, to: number): void {
    let at = chunk.indexOf(NEWLINE, this.#countedTo);
    for (; at !== -1 && at < to; at = chunk.indexOf(NEWLINE, at + 1)) this.#line += 1;
    this.#countedTo = to;
  }

  #rest(chunk: Buffer, end: number): Buffer {
    return chunk.subarray(Math.max(0, this.#from - this.#offset), end);
  }
}
