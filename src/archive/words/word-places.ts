import type { FoundWord, PartReader } from "./part-reader.ts";

/**
 * In which bytes of its block a word says where it stands, text by text. One table serves for
 * part after part: asking for memory anew costs more than filling it.
 */
export class WordPlaces {
  bytes: Uint8Array = new Uint8Array();
  /** Only those of texts in which the word stands are right: others are left over. */
  starts: Uint32Array = new Uint32Array();
  ends: Uint32Array = new Uint32Array();
  /** The place from which the first step is taken. */
  origin = 0;

  /**
   * Reads the texts of a word. Where `seen` says that the words before stand in a text, it then
   * says that this one does, too. Tells how many such texts there are.
   */
  load(part: PartReader, { entry, block }: FoundWord, { seen, before }: Seen): number {
    if (this.starts.length < part.count) {
      this.starts = new Uint32Array(part.count);
      this.ends = new Uint32Array(part.count);
    }
    const { starts, ends } = this;
    const words = part.words(block);
    const positions = part.positions(block);
    this.bytes = positions;
    let place = entry.positions.start;
    let text = 0;
    let left = 0;
    // Numbers are read in place: a call for each of them takes longer than the rest.
    for (let at = entry.texts.start; at < entry.texts.end;) {
      let byte = words[at++] ?? 0;
      let step = byte & 127;
      for (let shift = 7; byte > 127; shift += 7) {
        byte = words[at++] ?? 0;
        step |= (byte & 127) << shift;
      }
      text += step >>> 1;
      starts[text] = place;
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
      ends[text] = place;
      if (seen[text] === before) {
        seen[text] = before + 1;
        left += 1;
      }
    }
    return left;
  }
}

/** By text, how many words of a phrase stand in it, as far as they were looked for. */
interface Seen {
  seen: Uint32Array;
  before: number;
}
