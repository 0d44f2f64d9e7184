import type { SessionFile } from "../../../core/files/session-file.ts";
import type { ByteSource } from "../../../kernel/bytes.ts";
import { walkDocument } from "../../../kernel/json/document.ts";
import { jsonWalk } from "../../../kernel/json/walk.ts";
import type { Decoded } from "../../source.ts";
import { TraitSink } from "../formats/generation.ts";
import { FileReplay } from "../interpret/file-replay.ts";
import { skimDocument } from "./document.ts";
import { RECORD } from "./fields.ts";
import { skimLines } from "./lines.ts";

/** Whether a file has one record per line; the reader determines the format of other files. */
export function isLines(path: string): boolean {
  return path.endsWith(".jsonl");
}

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
  const format = isLines(bytes.path) ? "append-jsonl" : "single-json";
  const isWhole =
    format === "append-jsonl"
      ? skimLines(walk, { bytes, sizeBytes }, noting)
      : walkDocument(walk, { source: bytes, sizeBytes, fields: RECORD }, (document) =>
          skimDocument(document, bytes.path, noting),
        );
  if (isWhole !== true) return undefined;
  replay.finish();
  return { format, generation: noting.traits.generation(format), content: replay };
}
