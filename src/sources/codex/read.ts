import { EMPTY_FORMAT, UNKNOWN_FORMAT, originalPath } from "../../core/files/session-file.ts";
import type { FormatName, SessionFile } from "../../core/files/session-file.ts";
import type { ByteSource } from "../../kernel/bytes.ts";
import { readJsonLines } from "../decoding/json-lines.ts";
import type { Decoded, ReadOptions } from "../source.ts";
import type { Rollout } from "./content.ts";
import { isPacked, unpackedBytes } from "./zstd.ts";
import { readDocument } from "./formats/document.ts";
import { grammar, RolloutReader } from "./formats/lines.ts";
import { skimRollout } from "./skim/skim.ts";

/** Format names by generation; `docs/formats/codex.md` has a section for each. */
export const FORMATS = {
  document: "json-document",
  bare: "bare-lines",
  legacy: "legacy-lines",
  paginated: "paginated-lines",
  promptLog: "prompt-log",
} as const;

const GENERATIONS: Readonly<Record<string, string>> = {
  [FORMATS.document]: "0.1.2504–0.1.2505",
  [FORMATS.bare]: "0.1.2505–0.31",
  [FORMATS.legacy]: "0.32–0.147",
  [FORMATS.paginated]: "0.147–0.152",
};
/** Usage records came later, and are appended to files of older versions too. */
const WITH_RECORDS = "0.153+";

const HEAD_BYTES = 1024;

/** Decodes a rollout of any generation, packed or not. */
export function readFile(
  file: SessionFile,
  stored: ByteSource,
  options: ReadOptions,
): Decoded<Rollout> | "declined" {
  const bytes = textBytes(file, stored);
  const reader = new RolloutReader(options);
  let isDocument = false;
  try {
    if (options.depth === "usage") {
      return skimRollout(bytes, reader) ? decodedAs(formatOf(reader), reader) : "declined";
    }
    const head = headOf(bytes);
    if (head.trim() === "" && head.length < HEAD_BYTES) return emptyFile(bytes, options, reader);
    isDocument = isDocumentHead(head);
    if (isDocument) readDocument(bytes, reader);
    else readJsonLines(bytes, grammar, reader);
  } catch (error) {
    if (options.depth === "usage") return "declined";
    if (!isPacked(originalPath(file))) throw error;
    const message =
      "The compressed file is damaged or cut off; the part that could be decompressed was read.";
    options.report({ code: "truncated-document", severity: "damage", message, file: bytes.path });
  }
  const format = isDocument ? FORMATS.document : formatOf(reader);
  if (format === UNKNOWN_FORMAT) {
    const message = "The file is not in a known session format.";
    options.report({ code: "unknown-format", severity: "damage", message, file: bytes.path });
  }
  return decodedAs(format, reader);
}

function decodedAs(format: FormatName, { traits, rollout }: RolloutReader): Decoded<Rollout> {
  const generation = traits.hasRecords ? WITH_RECORDS : GENERATIONS[format];
  return { format, generation: generation ?? "unknown", content: rollout };
}

/** Returns the text of a file, decompressed if packed. Lines and places refer to it. */
export function textBytes(file: SessionFile, stored: ByteSource): ByteSource {
  return isPacked(originalPath(file)) ? unpackedBytes(stored) : stored;
}

/** Whether the TypeScript version of Codex wrote the file: as one JSON document. */
export function isDocumentHead(head: string): boolean {
  return /^\s*\{\s*"(?:session|items)"\s*:/.test(head);
}

export function headOf(bytes: ByteSource): string {
  const buffer = Buffer.alloc(HEAD_BYTES);
  return buffer.toString("utf8", 0, bytes.fill(buffer)).replace(/^\uFEFF/, "");
}

function emptyFile(
  { path }: ByteSource,
  { report }: ReadOptions,
  { rollout }: RolloutReader,
): Decoded<Rollout> {
  const message = "The file is empty.";
  report({ code: "empty-file", severity: "damage", message, file: path });
  return { format: EMPTY_FORMAT, generation: "unknown", content: rollout };
}

function formatOf({ traits, rollout }: RolloutReader): FormatName {
  if (traits.hasOrdinals) return FORMATS.paginated;
  if (traits.hasEnvelope) return FORMATS.legacy;
  return traits.hasBareItems || rollout.meta ? FORMATS.bare : UNKNOWN_FORMAT;
}
