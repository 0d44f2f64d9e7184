import { isUtf8 } from "node:buffer";
import { endianness } from "node:os";
import type { ReadAs, SkimSink, WholeFile } from "../../source.ts";
import { isChatOpening, OPENING_BYTES } from "../formats/saved-chat.ts";
import { NotingSink } from "../generation.ts";
import { skimDocument } from "./document.ts";
import { skimLines } from "./lines.ts";
import { Walker } from "./walker.ts";

/** Half of what a string can hold; a larger file is read piece by piece. */
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * The quick way to what a session cost. It walks over the bytes, as strict as a parser, and takes
 * ids, times, models and counts; what was said is never looked at. Gives the entries that the
 * reader would give, without words.
 *
 * Nothing, when there is anything that the reader would remark on or understand from words. What
 * was given until then is to be forgotten, and the file to be read.
 */
export function skim(file: WholeFile, into: SkimSink): ReadAs | undefined {
  const { bytes } = file;
  if (bytes.length > MAX_BYTES || !isUtf8(bytes)) return undefined;
  const format = formatOf(bytes);
  if (format === undefined) return undefined;
  const walker = loaded(bytes);
  if (!walker) return undefined;
  const skimOne = format === "append-jsonl" ? skimLines : skimDocument;
  const noting = new NotingSink(into);
  const isWhole = skimOne(walker, file, noting);
  return isWhole ? { format, generation: noting.traits.generation(format) } : undefined;
}

/** What is read into it is skimmed where it is; valid until there is another one. */
export function skimRoom(length: number): Buffer | undefined {
  return length > MAX_BYTES ? undefined : theWalker()?.room(length);
}

function loaded(bytes: Buffer): Walker | undefined {
  const walker = theWalker();
  walker?.load(bytes);
  return walker;
}

let known: Walker | "none" | undefined;

/** One for all files: its memory is used again. */
function theWalker(): Walker | undefined {
  known ??= makeWalker();
  return known === "none" ? undefined : known;
}

function makeWalker(): Walker | "none" {
  // The walk tells numbers with their lowest byte first.
  if (endianness() !== "LE") return "none";
  try {
    return new Walker();
  } catch {
    // A processor without the instructions it takes: everything is read.
    return "none";
  }
}

const HEAD_BYTES = 1024;

/** Only the two openings that are beyond doubt; a file with one of them is no saved chat. */
function formatOf(bytes: Buffer): "append-jsonl" | "single-json" | undefined {
  const head = bytes.toString("latin1", 0, HEAD_BYTES);
  if (isChatOpening(head.slice(0, OPENING_BYTES))) return undefined;
  if (head.startsWith('{\n  "sessionId": ')) return "single-json";
  return /^\{"sessionId":[^\n[]*\}\n/.test(head) ? "append-jsonl" : undefined;
}
