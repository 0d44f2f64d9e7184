/** Where the lists of a word stand in its block. */
export interface WordEntry {
  word: string;
  /** In how many texts it stands. */
  count: number;
  texts: { start: number; end: number };
  positions: { start: number; end: number };
}

/** Reads numbers of seven bits a byte, one after the other. */
export class NumberReader {
  at: number;
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array, at: number) {
    this.#bytes = bytes;
    this.at = at;
  }

  next(): number {
    const bytes = this.#bytes;
    let byte = bytes[this.at++] ?? 0;
    if (byte < 128) return byte;
    let value = byte & 127;
    for (let shift = 7; byte > 127 && shift < 35; shift += 7) {
      byte = bytes[this.at++] ?? 0;
      value |= (byte & 127) << shift;
    }
    return value >>> 0;
  }
}

/** The words of a block, with the places of their lists. */
export function entriesOf(words: Uint8Array): WordEntry[] {
  const bytes = Buffer.from(words.buffer, words.byteOffset, words.byteLength);
  const reader = new NumberReader(bytes, 0);
  const count = reader.next();
  const heads: { word: string; count: number; texts: number; positions: number }[] = [];
  for (let n = 0; n < count; n += 1) {
    const size = reader.next();
    const word = bytes.toString("utf8", reader.at, reader.at + size);
    reader.at += size;
    heads.push({ word, count: reader.next(), texts: reader.next(), positions: reader.next() });
  }
  let text = reader.at;
  let position = 0;
  return heads.map((head) => {
    const texts = { start: text, end: (text += head.texts) };
    const positions = { start: position, end: (position += head.positions) };
    return { word: head.word, count: head.count, texts, positions };
  });
}

/** Texts of a word, how often it stands in each, and in how many bytes it says where. */
export function forEachText(
  words: Uint8Array,
  { texts }: WordEntry,
  visit: (text: number, times: number, bytes: number) => void,
): void {
  const reader = new NumberReader(words, texts.start);
  let text = 0;
  while (reader.at < texts.end) {
    const step = reader.next();
    text += step >>> 1;
    if (step % 2 === 1) visit(text, 1, ONE);
    else visit(text, reader.next(), reader.next());
  }
}

/** A single position takes the bytes that it takes. */
const ONE = 0;

/** The same, and where the positions begin. */
export function forEachPlace(
  blocks: { words: Uint8Array; positions: Uint8Array },
  entry: WordEntry,
  visit: (text: number, times: number, at: number) => void,
): void {
  const { positions } = blocks;
  let at = entry.positions.start;
  forEachText(blocks.words, entry, (text, times, bytes) => {
    visit(text, times, at);
    at += bytes;
    if (bytes > ONE) return;
    while ((positions[at] ?? 0) > 127) at += 1;
    at += 1;
  });
}
