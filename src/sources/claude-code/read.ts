import { EMPTY_FORMAT } from "../../core/files/session-file.ts";
import type { SessionFile } from "../../core/files/session-file.ts";
import type { ByteSource } from "../../kernel/bytes.ts";
import type { Decoded, ReadOptions } from "../source.ts";
import type { Transcript } from "./content.ts";
import { newTranscript } from "./content.ts";
import { generationOf } from "./formats/generation.ts";
import { readTranscript } from "./formats/transcript.ts";
import { skimTranscript } from "./skim/skim.ts";

/** Decodes a transcript at the requested depth. */
export function readFile(
  file: SessionFile,
  bytes: ByteSource,
  options: ReadOptions,
): Decoded<Transcript> {
  if (file.sizeBytes === 0) {
    // A resume by 2.0 leaves an empty file, named after the first id of the new process.
    const message = "The file is empty: nothing was recorded for this session.";
    const notice = { code: "empty-file", severity: "notice", message, file: bytes.path } as const;
    options.report(notice);
    return { format: EMPTY_FORMAT, generation: "unknown", content: newTranscript() };
  }
  const skimmed = options.depth === "usage" ? skimTranscript(bytes, options) : undefined;
  const content = skimmed ?? readTranscript(bytes, options);
  return { format: "transcript", generation: generationOf(content.versions), content };
}
