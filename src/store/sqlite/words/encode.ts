import type { Block, WordList } from "./part.ts";

/** A block ends with the word that makes it longer than this. */
const BLOCK_BYTES = 16 * 1024;
const LONGEST_NUMBER = 5;
const KEPT_BYTES = 32 * 1024 * 1024;

/** Bytes that grow at their end. */
export class Growing {
  bytes: Buffer = Buffer.allocUnsafeSlow(1 << 16);
  length = 0;

  /** Makes sure that so many bytes can follow. */
  reserve(count: number): void {
    if (this.length + count <= this.bytes.length) return;
    const longer = Buffer.allocUnsafeSlow(Math.max(this.bytes.length * 2, this.length + count));
    this.bytes.copy(longer, 0, 0, this.length);
    this.bytes = longer;
  }

  number(value: number): void {
    this.reserve(LONGEST_NUMBER);
    this.length = putNumber(this.bytes, this.length, value);
  }

  text(text: string): void {
    this.reserve(text.length * 3 + LONGEST_NUMBER);
    if (this.#plainText(text)) return;
    const size = Buffer.byteLength(text);
    this.number(size);
    this.length += this.bytes.write(text, this.length);
  }

  /** A short one of ASCII letters, as most are: sooner put one by one. */
  #plainText(text: string): boolean {
    const { bytes, length } = this;
    if (text.length > 127) return false;
    for (let at = 0; at < text.length; at += 1) {
      const unit = text.charCodeAt(at);
      if (unit > 127) return false;
      bytes[length + 1 + at] = unit;
    }
    bytes[length] = text.length;
    this.length = length + 1 + text.length;
    return true;
  }

  append(bytes: Buffer, start: number, end: number): void {
    this.reserve(end - start);
    // A few are sooner put one by one.
    if (end - start > 64) bytes.copy(this.bytes, this.length, start, end);
    else
      for (let at = start; at < end; at += 1) this.bytes[this.length + at - start] = bytes[at] ?? 0;
    this.length += end - start;
  }

  get written(): Buffer {
    return this.bytes.subarray(0, this.length);
  }

  /** What was huge once need not stay so. */
  clear(): void {
    this.length = 0;
    if (this.bytes.length > KEPT_BYTES) this.bytes = Buffer.allocUnsafeSlow(1 << 16);
  }
}

/** Seven bits a byte; says where the next number may stand. */
function putNumber(bytes: Buffer, at: number, value: number): number {
  let rest = value;
  let next = at;
  while (rest > 127) {
    bytes[next] = (rest & 127) | 128;
    rest >>>= 7;
    next += 1;
  }
  bytes[next] = rest;
  return next + 1;
}

/** Memory that is used again: asking for it anew costs more than filling it. */
const head = new Growing();
const texts = new Growing();
const positions = new Growing();

/** Words and their lists, in the order of the alphabet, as blocks. */
export function encode(lists: Iterable<WordList>): Block[] {
  return inBlocks(lists, (list) => ({ word: list.word, count: putList(list) }));
}

/** Where the lists of a block are put. */
export interface ListBytes {
  texts: Growing;
  positions: Growing;
}

/** The same, for whoever puts the bytes of a list and says in how many texts its word stands. */
export function inBlocks<T>(
  lists: Iterable<T>,
  put: (list: T, into: ListBytes) => { word: string; count: number },
): Block[] {
  const blocks: Block[] = [];
  for (const one of [head, texts, positions]) one.clear();
  let first: string | undefined;
  let count = 0;
  const finish = (): void => {
    if (first === undefined) return;
    const opening = Buffer.alloc(LONGEST_NUMBER);
    const opened = opening.subarray(0, putNumber(opening, 0, count));
    const words = Buffer.concat([opened, head.written, texts.written]);
    blocks.push({ first, words, positions: Buffer.from(positions.written) });
    for (const one of [head, texts, positions]) one.clear();
    first = undefined;
    count = 0;
  };
  for (const list of lists) {
    const before = { texts: texts.length, positions: positions.length };
    const { word, count: distinct } = put(list, { texts, positions });
    first ??= word;
    count += 1;
    head.text(word);
    head.number(distinct);
    head.number(texts.length - before.texts);
    head.number(positions.length - before.positions);
    if (head.length + texts.length + positions.length >= BLOCK_BYTES) finish();
  }
  finish();
  return blocks;
}

/** Says in how many texts the word stands. */
function putList({ places, firsts }: WordList): number {
  const { length } = places;
  texts.reserve(Math.min(length, firsts.length) * 3 * LONGEST_NUMBER);
  positions.reserve(length * LONGEST_NUMBER);
  const into = positions.bytes;
  let written = positions.length;
  let distinct = 0;
  let before = 0;
  let text = 0;
  for (let at = 0; at < length; distinct += 1) {
    text = textAt(firsts, text, places[at] ?? 0);
    const end = firsts[text + 1] ?? 0;
    const start = at;
    const from = written;
    let last = firsts[text] ?? 0;
    for (let place = places[at] ?? 0; place < end && at < length; place = places[at] ?? 0) {
      const step = place - last;
      if (step < 128) into[written++] = step;
      else written = putNumber(into, written, step);
      last = place;
      at += 1;
    }
    const step = (text - before) * 2;
    before = text;
    if (at - start === 1) texts.length = putNumber(texts.bytes, texts.length, step + 1);
    else {
      texts.length = putNumber(texts.bytes, texts.length, step);
      texts.length = putNumber(texts.bytes, texts.length, at - start);
      texts.length = putNumber(texts.bytes, texts.length, written - from);
    }
  }
  positions.length = written;
  return distinct;
}

/** The text that a place lies in, at or behind another one: near it, most often. */
function textAt(firsts: Uint32Array, from: number, place: number): number {
  let near = from;
  for (let tries = 0; tries < 8; tries += 1, near += 1) {
    if (place < (firsts[near + 1] ?? Infinity)) return near;
  }
  let [low, high] = [near, firsts.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if ((firsts[middle] ?? 0) <= place) low = middle;
    else high = middle;
  }
  return low;
}
