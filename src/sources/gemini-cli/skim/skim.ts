import { isUtf8 } from "node:buffer";
import type { SessionFile } from "../../../core/files/session-file.ts";
import type { ByteSource } from "../../../kernel/bytes.ts";
import type { JsonWalk } from "../../../kernel/json/walk.ts";
import { jsonWalk } from "../../../kernel/json/walk.ts";
import type { Decoded } from "../../source.ts";
import { TraitSink } from "../generation.ts";
import { FileReplay } from "../interpret/file-replay.ts";
import { skimDocument } from "./document.ts";
import { skimLines } from "./lines.ts";

/** A document is walked as a whole; larger ones are left to the reader, which reads in pieces. */
const MAX_DOCUMENT_BYTES = 64 * 1024 * 1024;

/**
 * Fast path to a session's usage. Walks the bytes, as strictly as a parser, and reads only ids,
 * times, models and counts. Returns the same as the reader, without texts.
 *
 * Returns undefined if the reader would report a diagnostic or would need texts to interpret the
 * file.
 */
export function skimFile(file: SessionFile, bytes: ByteSource): Decoded<FileReplay> | undefined {
  const walk = jsonWalk();
  if (!walk) return undefined;
  const replay = new FileReplay();
  const noting = new TraitSink({ entry: (entry) => replay.play(entry) });
  const { sizeBytes } = file;
  // The reader determines the format of files with other names.
  const format = bytes.path.endsWith(".jsonl") ? "append-jsonl" : "single-json";
  const isWhole =
    format === "append-jsonl"
      ? skimLines(walk, { bytes, sizeBytes }, noting)
      : loadWhole(walk, bytes, sizeBytes) && skimDocument(walk, bytes.path, noting);
  if (!isWhole) return undefined;
  replay.finish();
  return { format, generation: noting.traits.generation(format), content: replay };
}

/** Loads a whole file; returns false if it is too large, not UTF-8 or has changed meanwhile. */
function loadWhole(walk: JsonWalk, source: ByteSource, sizeBytes: number): boolean {
  if (sizeBytes > MAX_DOCUMENT_BYTES) return false;
  // One extra byte: it is filled if the file has grown meanwhile.
  const room = walk.room(sizeBytes + 1);
  const count = source.fill(room);
  const bytes = room.subarray(0, count);
  if (count !== sizeBytes || !isUtf8(bytes)) return false;
  walk.load(bytes);
  return true;
}
