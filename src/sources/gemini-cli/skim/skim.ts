import { isUtf8 } from "node:buffer";
import type { SessionFile } from "../../../core/session-file.ts";
import type { ByteSource } from "../../../kernel/bytes.ts";
import type { JsonWalk } from "../../../kernel/json/walk.ts";
import { jsonWalk } from "../../../kernel/json/walk.ts";
import type { Decoded } from "../../source.ts";
import { NotingSink } from "../generation.ts";
import { FileReplay } from "../interpret/file-replay.ts";
import { skimDocument } from "./document.ts";
import { skimLines } from "./lines.ts";

/** A document is walked over as a whole; a larger one is read piece by piece. */
const MAX_DOCUMENT_BYTES = 64 * 1024 * 1024;

/**
 * The quick way to what a session cost. It walks over the bytes, as strict as a parser, and takes
 * ids, times, models and counts; what was said is never looked at. Gives what the reader would
 * give, without words.
 *
 * Nothing, when there is anything that the reader would remark on or understand from words.
 */
export function skimFile(file: SessionFile, bytes: ByteSource): Decoded<FileReplay> | undefined {
  const walk = jsonWalk();
  if (!walk) return undefined;
  const replay = new FileReplay();
  const noting = new NotingSink({ entry: (entry) => replay.play(entry) });
  const { sizeBytes } = file;
  // What is in a file under another name than usual is for the reader to find out.
  const format = bytes.path.endsWith(".jsonl") ? "append-jsonl" : "single-json";
  const isWhole =
    format === "append-jsonl"
      ? skimLines(walk, { bytes, sizeBytes }, noting)
      : loadWhole(walk, bytes, sizeBytes) && skimDocument(walk, bytes.path, noting);
  if (!isWhole) return undefined;
  replay.finish();
  return { format, generation: noting.traits.generation(format), content: replay };
}

/** Loads a whole file; false when it is too large, is not UTF-8 or has changed meanwhile. */
function loadWhole(walk: JsonWalk, source: ByteSource, sizeBytes: number): boolean {
  if (sizeBytes > MAX_DOCUMENT_BYTES) return false;
  // One byte more: a file that has grown meanwhile fills it.
  const room = walk.room(sizeBytes + 1);
  const count = source.fill(room);
  const bytes = room.subarray(0, count);
  if (count !== sizeBytes || !isUtf8(bytes)) return false;
  walk.load(bytes);
  return true;
}
