import { diagnosticAt } from "../../../core/diagnostic.ts";
import type { RecordedMessage } from "../../../core/message.ts";
import type { Place } from "../../../core/place.ts";
import type { ByteSource } from "../../../kernel/bytes.ts";
import { readFacts } from "./facts.ts";
import type { Json } from "./fields.ts";
import { asList, asName, asObject } from "./fields.ts";
import type { Format, Sink } from "./format.ts";
import type { Pieces } from "./glued.ts";
import { splitGlued } from "./glued.ts";
import type { Line } from "./lines.ts";
import { linesOf } from "./lines.ts";
import { readMessage } from "./message.ts";
import { parseJson, parseJsonText, stripBom } from "./parse.ts";

/**
 * 0.39 and later: one record per line, only ever appended.
 *
 *     {"sessionId":"S","projectHash":"H","startTime":"T0","lastUpdated":"T0","kind":"main"}
 *     {"id":"u1","timestamp":"T1","type":"user","content":[{"text":"read a.txt"}]}
 *     {"$set":{"lastUpdated":"T1"}}
 *     {"$set":{"messages":[…]}}
 *     {"$rewindTo":"u1"}
 */
export const appendJsonl: Format = {
  name: "append-jsonl",
  claims: ({ opening, firstLine, text }) => {
    if (opening !== "{") return false;
    // A document written over several lines opens with a line that promises more.
    if (firstLine !== undefined) return !/[{,[]$/.test(firstLine.trim());
    return !/^\s*\{\s*\n/.test(text);
  },
  read(source, sink) {
    for (const line of linesOf(source)) readLine(source, line, sink);
  },
};

function readLine(source: ByteSource, line: Line, sink: Sink): void {
  const end = line.start + line.length;
  const place: Place = { file: source.path, line: line.number, start: line.start, end };
  if (line.isTooLong) {
    const message = `A line of ${line.length} bytes is longer than can be read.`;
    sink.report(diagnosticAt(place, { code: "line-too-long", severity: "damage", message }));
    return;
  }
  if (isBlank(line.bytes)) return;
  const parsed = parseJson(line.bytes);
  if (!parsed.isJson) return salvage(line, place, sink);
  if (parsed.hasInvalidText) {
    const message = "Some bytes are not UTF-8; they are shown as replacement characters.";
    sink.report(diagnosticAt(place, { code: "invalid-utf8", severity: "repair", message }));
  }
  readRecord(parsed.value, place, sink);
}

function isBlank(bytes: Buffer): boolean {
  for (let at = 0; at < bytes.length; at += 1) if ((bytes[at] ?? 0) > 32) return false;
  // NUL bytes are a trace of damage, not an empty line.
  return !bytes.includes(0);
}

/** Record kinds in the order in which the writer tells them apart. */
export function readRecord(value: unknown, place: Place, sink: Sink): void {
  const record = asObject(value);
  if (!record) return unknown([], place, sink);
  const toId = record["$rewindTo"];
  if (typeof toId === "string") return sink.entry({ kind: "rewind", place, toId });
  if (typeof record["id"] === "string") {
    const message = readMessage(record, place, sink.report);
    return sink.entry({ kind: "message", place, message });
  }
  const patch = asObject(record["$set"]);
  if (patch) return readPatch(patch, place, sink);
  if (asName(record["sessionId"]) !== undefined) return readHeader(record, place, sink);
  if (asName(record["type"]) !== undefined && "content" in record) {
    const message = readMessage(record, place, sink.report);
    return sink.entry({ kind: "message", place, message });
  }
  unknown(Object.keys(record), place, sink);
}

function readPatch(patch: Json, place: Place, sink: Sink): void {
  sink.entry({ kind: "facts", place, facts: readFacts(patch) });
  const listed = asList(patch["messages"]);
  if (listed) sink.entry({ kind: "rewrite", place, messages: readList(listed, place, sink) });
}

/** A header may carry the messages of a whole older document on its line. */
function readHeader(record: Json, place: Place, sink: Sink): void {
  sink.entry({ kind: "header", place, facts: readFacts(record) });
  for (const message of readList(asList(record["messages"]) ?? [], place, sink)) {
    sink.entry({ kind: "message", place, message });
  }
}

function readList(listed: readonly unknown[], place: Place, sink: Sink): RecordedMessage[] {
  return listed.flatMap((item) => {
    const record = asObject(item);
    if (record) return [readMessage(record, place, sink.report)];
    const message = "An element of the messages is no object.";
    sink.report(diagnosticAt(place, { code: "bad-element", severity: "notice", message }));
    return [];
  });
}

function unknown(keys: string[], place: Place, sink: Sink): void {
  sink.entry({ kind: "unknown", place, keys: keys.slice(0, 20) });
  const named = keys.slice(0, 5).map((key) => JSON.stringify(key.slice(0, 40)));
  const message = `A record of no known kind (${named.join(", ") || "no object"}).`;
  sink.report(diagnosticAt(place, { code: "unknown-entry", severity: "notice", message }));
}

/**
 * A crash leaves half a line, and the next append is glued to it; or a disk error leaves NUL bytes.
 * What follows the damage is whole, and is recovered.
 */
function salvage(line: Line, place: Place, sink: Sink): void {
  const text = stripBom(line.bytes.toString("utf8"));
  const cleaned = text.includes("\0") ? text.replaceAll("\0", "") : text;
  if (cleaned !== text) {
    const message = "NUL bytes, as a crash leaves them, were skipped.";
    sink.report(diagnosticAt(place, { code: "nul-bytes", severity: "repair", message }));
    if (cleaned.trim() === "") return;
    const parsed = parseJsonText(cleaned);
    if (parsed.isJson) return readRecord(parsed.value, place, sink);
  }
  const pieces = splitGlued(cleaned, line.isTerminated ? "ended" : "open");
  for (const value of pieces.values) readRecord(value, place, sink);
  reportLoss(pieces, line, place, sink);
}

// oxlint-disable-next-line max-params -- a report needs its line, its place and its sink
function reportLoss(pieces: Pieces, line: Line, place: Place, sink: Sink): void {
  const { values, lost } = pieces;
  if (values.length > 0) {
    const message =
      lost > 0
        ? `${lost} characters of a half-written record are lost; ${values.length} after it read.`
        : `${values.length} records stood on one line; all were read.`;
    const severity = lost > 0 ? "damage" : "repair";
    sink.report(diagnosticAt(place, { code: "glued-line", severity, message }));
    return;
  }
  const code = line.isTerminated ? "bad-line" : "torn-line";
  const message = line.isTerminated
    ? "The line is not JSON and holds no whole record."
    : "The last line is cut off; it was still being written, or the writer stopped.";
  sink.report(diagnosticAt(place, { code, severity: "damage", message }));
}
