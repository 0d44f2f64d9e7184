import { basename } from "node:path";
import type { Diagnostic } from "../../core/files/diagnostic.ts";
import type { RecordedMessage } from "../../core/session/message.ts";
import type { FormatName, SessionFile } from "../../core/files/session-file.ts";
import { EMPTY_FORMAT, originalPath } from "../../core/files/session-file.ts";
import type { ByteSource } from "../../kernel/bytes.ts";
import { fileBytes } from "../../kernel/bytes.ts";
import type { Decoded, ReadOptions } from "../source.ts";
import type { Entry, QwenContent } from "./content.ts";
import { USAGE_RECORD } from "./formats/usage-record.ts";
import { readTotals } from "./totals.ts";
import { readDocument } from "./formats/document.ts";
import { lightEntry, lightMessage } from "./formats/outline.ts";
import type { RecordFileFacts } from "./formats/facts.ts";
import { FactsOfRecords, Until } from "./formats/facts.ts";
import type { EntrySink } from "./formats/records.ts";
import { readRecords } from "./formats/records.ts";
import { withoutServed } from "./served.ts";
import { skimRecords } from "./skim/skim.ts";

export const RECORDS: FormatName = "record-tree";
export const DOCUMENT: FormatName = "single-json";
export const TOTALS: FormatName = "usage-record";

const HEAD_BYTES = 4096;

export function readFile(
  file: SessionFile,
  bytes: ByteSource,
  options: ReadOptions,
): Decoded<QwenContent> {
  const name = basename(originalPath(file));
  const isShort = file.sizeBytes <= HEAD_BYTES;
  const mayBeDocument = name.endsWith(".json");
  // Opening a file twice takes time, and most are neither.
  const head = isShort || mayBeDocument ? bytes.range(0, HEAD_BYTES).toString("utf8") : "";
  if (isShort && !/[^\s\0\uFEFF]/.test(head)) {
    const message = "The file is empty.";
    options.report({ code: "empty-file", severity: "damage", message, file: bytes.path });
    return { format: EMPTY_FORMAT, generation: "unknown", content: { kind: "nothing" } };
  }
  if (name === USAGE_RECORD) {
    const all = readTotals(file, bytes, options.report);
    const lines = withoutServed(all, { root: file.root, readChat });
    return { format: TOTALS, generation: "0.18+", content: { kind: "totals", lines } };
  }
  const isDocument = mayBeDocument && !/^\s*\{\s*"(?:uuid|parentUuid)"/.test(head);
  return isDocument ? readWholeDocument(bytes, options) : readTree(bytes, options);
}

/** Its diagnostics are reported when it is read as a file of its own. */
export function readChat(path: string): QwenContent {
  return readTree(fileBytes(path), { depth: "usage", report: () => undefined }).content;
}

function readTree(bytes: ByteSource, options: ReadOptions): Decoded<QwenContent> {
  const isSum = options.depth === "usage" && options.until === undefined;
  const skimmed = isSum ? skimRecords(bytes, () => new TreeReader(options)) : undefined;
  if (skimmed) return skimmed.end();
  const reader = new TreeReader(options);
  readRecords(bytes, reader);
  return reader.end();
}

/** Collects records and diagnostics of a file; diagnostics are reported only at the end. */
class TreeReader implements EntrySink {
  readonly #entries: Entry[] = [];
  readonly #facts = new FactsOfRecords();
  readonly #remarks: Diagnostic[] = [];
  readonly #until: Until;
  readonly #options: ReadOptions;

  constructor(options: ReadOptions) {
    this.#options = options;
    this.#until = new Until(options.until);
  }

  readonly report = (diagnostic: Diagnostic): void => {
    if (!this.#until.isOver) this.#remarks.push(diagnostic);
  };

  entry(entry: Entry, about: RecordFileFacts): void {
    if (!this.#until.includes(entry.at, entry.place.end)) return;
    this.#facts.add(entry.at, about);
    this.#entries.push(lightEntry(entry, this.#options.depth));
  }

  end(): Decoded<QwenContent> {
    for (const remark of this.#remarks) this.#options.report(remark);
    const { facts, generation } = this.#facts;
    const content: QwenContent = { kind: "records", facts, entries: this.#entries };
    return { format: RECORDS, generation, content };
  }
}

function readWholeDocument(bytes: ByteSource, options: ReadOptions): Decoded<QwenContent> {
  const messages: RecordedMessage[] = [];
  const until = new Until(options.until);
  const { facts, speaker } = readDocument(
    bytes,
    (message) => {
      if (until.includes(message.at, message.place.end))
        messages.push(lightMessage(message, options.depth));
    },
    options.report,
  );
  const generation = speaker === "gemini" ? "0.0.10–0.0.14" : "0.1–0.3";
  return { format: DOCUMENT, generation, content: { kind: "document", facts, messages } };
}
