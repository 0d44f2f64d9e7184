import type { FoundWord, PartReader } from "./part-reader.ts";

/**
 * In which bytes of its block a word says where it stands, text by text. One table serves for
 * part after part: asking for memory anew costs more than filling it.
 */
export class WordPlaces {
  bytes: Uint8Array = new Uint8Array();
  /** The texts that were found, so many of them; and where in the bytes it says so. */
  texts: Uint32Array = new Uint32Array();
  count = 0;
  starts: Uint32Array = new Uint32Array();
  ends: Uint32Array = new Uint32Array();
  /** The place from which the first step is taken. */
  origin = 0;

  /**
   * Finds the texts of a word that the words before stand in; `seen` then says that this one does,
   * too.
   */
  load(part: PartReader, { found, origin }: PhraseWord, { seen, before }: Seen): void {
    if (this.starts.length < part.count) {
      this.texts = new Uint32Array(part.count);
      this.starts = new Uint32Array(part.count);
      this.ends = new Uint32Array(part.count);
    }
    this.origin = origin;
    const { entry, block } = found;
    const { texts, starts, ends } = this;
    const words = part.words(block);
    const positions = part.positions(block);
    this.bytes = positions;
    let place = entry.positions.start;
    let text = 0;
    let count = 0;
    // Numbers are read in place: a call for each of them takes longer than the rest.
    for (let at = entry.texts.start; at < entry.texts.end;) {
      let byte = words[at++] ?? 0;
      let step = byte & 127;
      for (let shift = 7; byte > 127; shift += 7) {
        byte = words[at++] ?? 0;
        step |= (byte & 127) << shift;
      }
      text += step >>> 1;
      const start = place;
      if (step % 2 === 1) while ((positions[place++] ?? 0) > 127);
      else {
        // How often is not needed: in how many bytes it says where tells as much.
        while ((words[at++] ?? 0) > 127);
        byte = words[at++] ?? 0;
        let size = byte & 127;
        for (let shift = 7; byte > 127; shift += 7) {
          byte = words[at++] ?? 0;
          size |= (byte & 127) << shift;
        }
        place += size;
      }
      if (seen[text] === before) {
        starts[text] = start;
        ends[text] = place;
        seen[text] = before + 1;
        texts[count++] = text;
      }
    }
    this.count = count;
  }
}

/** A word of a phrase, and the place that the phrase would begin at if it stood at 0. */
interface PhraseWord {
  found: FoundWord;
  origin: number;
}

/** By text, how many words of a phrase stand in it, as far as they were looked for. */
interface Seen {
  seen: Uint32Array;
  before: number;
}
