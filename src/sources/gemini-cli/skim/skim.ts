import { isUtf8 } from "node:buffer";
import { endianness } from "node:os";
import type { SessionFile } from "../../../core/session-file.ts";
import type { ByteSource } from "../../../kernel/bytes.ts";
import type { Decoded } from "../../source.ts";
import { isChatOpening, OPENING_BYTES } from "../formats/saved-chat.ts";
import { NotingSink } from "../generation.ts";
import { FileReplay } from "../interpret/file-replay.ts";
import { skimDocument } from "./document.ts";
import { skimLines } from "./lines.ts";
import { Walker } from "./walker.ts";

/** Half of what a string can hold; a larger file is read piece by piece. */
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * The quick way to what a session cost. It walks over the bytes, as strict as a parser, and takes
 * ids, times, models and counts; what was said is never looked at. Gives what the reader would
 * give, without words.
 *
 * Nothing, when there is anything that the reader would remark on or understand from words.
 */
export function skimFile(file: SessionFile, source: ByteSource): Decoded<FileReplay> | undefined {
  const bytes = loadWhole(file, source);
  const walker = bytes && isUtf8(bytes) ? loaded(bytes) : undefined;
  const format = bytes && formatOf(bytes);
  if (!walker || format === undefined) return undefined;
  const replay = new FileReplay();
  const noting = new NotingSink({ entry: (entry) => replay.play(entry) });
  const skim = format === "append-jsonl" ? skimLines : skimDocument;
  if (!skim(walker, source, noting)) return undefined;
  replay.finish();
  return { format, generation: noting.traits.generation(format), content: replay };
}

/** The whole file in the walker's memory; nothing when it is too large, or has changed meanwhile. */
function loadWhole({ sizeBytes }: SessionFile, source: ByteSource): Buffer | undefined {
  if (sizeBytes > MAX_BYTES) return undefined;
  // One byte more: a file that has grown meanwhile fills it.
  const room = theWalker()?.room(sizeBytes + 1);
  const count = room && source.fill(room);
  return count === sizeBytes ? room?.subarray(0, count) : undefined;
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
