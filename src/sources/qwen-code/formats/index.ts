import { basename } from "node:path";
import { instantOf } from "../../../core/instant.ts";
import type { RecordedMessage } from "../../../core/message.ts";
import type { FormatName, SessionFile } from "../../../core/session-file.ts";
import { EMPTY_FORMAT } from "../../../core/session-file.ts";
import type { ByteSource } from "../../../kernel/bytes.ts";
import type { Json } from "../../decoding/fields.ts";
import { asName, asObject } from "../../decoding/fields.ts";
import type { Decoded, ReadOptions, WrittenBy } from "../../source.ts";
import type { Entry, QwenContent, RecordFacts } from "../content.ts";
import { readTotals } from "../totals.ts";
import { readDocument } from "./document.ts";
import { lightEntry, lightMessage } from "./outline.ts";
import { readRecords } from "./records.ts";

export const RECORDS: FormatName = "record-tree";
export const DOCUMENT: FormatName = "single-json";
export const TOTALS: FormatName = "usage-record";
export const USAGE_RECORD = "usage_record.jsonl";

const HEAD_BYTES = 4096;

export function readFile(
  file: SessionFile,
  bytes: ByteSource,
  options: ReadOptions,
): Decoded<QwenContent> {
  const name = basename(file.replaced?.path ?? file.path);
  const head = bytes.range(0, HEAD_BYTES).toString("utf8");
  if (!/[^\s\0\uFEFF]/.test(head) && file.sizeBytes <= HEAD_BYTES) {
    const message = "The file is empty.";
    options.report({ code: "empty-file", severity: "damage", message, file: bytes.path });
    return { format: EMPTY_FORMAT, generation: "unknown", content: { kind: "nothing" } };
  }
  if (name === USAGE_RECORD) {
    const lines = readTotals(file, bytes, options.report);
    return { format: TOTALS, generation: "0.18+", content: { kind: "totals", lines } };
  }
  const isDocument = name.endsWith(".json") && !/^\s*\{\s*"(?:uuid|parentUuid)"/.test(head);
  return isDocument ? readWholeDocument(bytes, options) : readTree(bytes, options);
}

function readTree(bytes: ByteSource, options: ReadOptions): Decoded<QwenContent> {
  const entries: Entry[] = [];
  const facts = new FactsOfRecords();
  const until = new Until(options.until);
  readRecords(bytes, {
    report: (diagnostic) => {
      if (!until.isOver) options.report(diagnostic);
    },
    entry(entry, record) {
      if (!until.includes(entry)) return;
      facts.add(entry, record);
      entries.push(lightEntry(entry, options.depth));
    },
  });
  const content: QwenContent = { kind: "records", facts: facts.facts, entries };
  return { format: RECORDS, generation: facts.generation, content };
}

function readWholeDocument(bytes: ByteSource, options: ReadOptions): Decoded<QwenContent> {
  const messages: RecordedMessage[] = [];
  const until = new Until(options.until);
  const { facts, speaker } = readDocument(
    bytes,
    (message) => {
      if (until.includes(message)) messages.push(lightMessage(message, options.depth));
    },
    options.report,
  );
  const generation = speaker === "gemini" ? "0.0.10–0.0.14" : "0.1–0.3";
  return { format: DOCUMENT, generation, content: { kind: "document", facts, messages } };
}

/** What had been written by a moment: records are appended, so all of them up to a later one. */
class Until {
  isOver = false;
  readonly #limit: WrittenBy | undefined;

  constructor(limit: WrittenBy | undefined) {
    this.#limit = limit;
  }

  includes({ at, place }: Pick<RecordedMessage, "at" | "place">): boolean {
    if (!this.#limit || this.isOver || place.end <= this.#limit.sureBytes) return !this.isOver;
    this.isOver = at !== undefined && instantOf(at) > this.#limit.atMs;
    return !this.isOver;
  }
}

/** A session has one, or a few; each record is compared with all of them. */
const MAX_DIRECTORIES = 100;

/** What is the same in all records, or tells about the file as a whole. */
class FactsOfRecords {
  readonly facts: RecordFacts = { directories: [] };
  #minor: number | undefined;

  /** The versions that write as the newest one that wrote in this file. */
  get generation(): string {
    if (this.#minor === undefined) return "unknown";
    if (this.#minor < 15) return "0.4–0.14";
    return this.#minor < 18 ? "0.15–0.17" : "0.18+";
  }

  add({ at }: Entry, record: Json): void {
    const { facts } = this;
    facts.sessionId ??= asName(record["sessionId"]);
    facts.forkedFrom ??= asName(asObject(record["forkedFrom"])?.["sessionId"]);
    facts.agentId ??= asName(record["agentId"]);
    facts.agentName ??= asName(record["agentName"]);
    facts.branch = asName(record["gitBranch"]) ?? facts.branch;
    facts.firstAt ??= at;
    facts.lastAt = at ?? facts.lastAt;
    const directory = asName(record["cwd"]);
    const { directories } = facts;
    const isRoom = directories.length < MAX_DIRECTORIES;
    if (directory !== undefined && isRoom && !directories.includes(directory)) {
      directories.push(directory);
    }
    const minor = /^0\.(\d+)\./.exec(asName(record["version"]) ?? "")?.[1];
    if (minor !== undefined) this.#minor = Math.max(this.#minor ?? 0, Number(minor));
  }
}
