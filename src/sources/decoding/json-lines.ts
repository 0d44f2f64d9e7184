import { diagnosticAt } from "../../core/files/diagnostic.ts";
import type { Diagnostic } from "../../core/files/diagnostic.ts";
import type { Place } from "../../core/files/place.ts";
import type { ByteSource } from "../../kernel/bytes.ts";
import type { Pieces, RecordGrammar } from "./glued.ts";
import { splitGlued } from "./glued.ts";
import type { Line } from "./lines.ts";
import { linesOf } from "./lines.ts";
import { parseJson, parseJsonText, stripBom } from "./parse.ts";

/** Receives the records of a file, in file order. */
export interface RecordSink {
  record(value: unknown, place: Place): void;
  report: (diagnostic: Diagnostic) => void;
  /** Called with each line before it is parsed; return false to skip the line. */
  wants?(line: Line): boolean;
}

/**
 * Reads a file with one JSON record per line. Every line yields its records or a diagnostic. A
 * damaged line never hides its neighbours, and complete records in it are recovered.
 */
export function readJsonLines(source: ByteSource, grammar: RecordGrammar, sink: RecordSink): void {
  for (const line of linesOf(source)) {
    if (sink.wants?.(line) === false) continue;
    const end = line.start + line.length;
    const place = { file: source.path, line: line.number, start: line.start, end };
    readLine(line, place, { grammar, sink });
  }
}

interface Target {
  grammar: RecordGrammar;
  sink: RecordSink;
}

function readLine(line: Line, place: Place, { grammar, sink }: Target): void {
  if (line.isTooLong) {
    const message = `A line of ${line.length} bytes is too long to be read.`;
    sink.report(diagnosticAt(place, { code: "line-too-long", severity: "damage", message }));
    return;
  }
  if (isBlank(line.bytes)) return;
  const parsed = parseJson(line.bytes);
  if (!parsed.isJson) return salvage(line, place, { grammar, sink });
  if (parsed.hasInvalidText) {
    const message = "Some bytes are not UTF-8; they are shown as replacement characters.";
    sink.report(diagnosticAt(place, { code: "invalid-utf8", severity: "repair", message }));
  }
  sink.record(parsed.value, place);
}

function isBlank(bytes: Buffer): boolean {
  for (let at = 0; at < bytes.length; at += 1) if ((bytes[at] ?? 0) > 32) return false;
  // NUL bytes are a sign of damage, not an empty line.
  return !bytes.includes(0);
}

/**
 * A crash leaves an incomplete line, to which the next record is appended, or NUL bytes. Recovers
 * the complete records that follow the damage.
 */
function salvage(line: Line, place: Place, { grammar, sink }: Target): void {
  const text = stripBom(line.bytes.toString("utf8"));
  const cleaned = text.includes("\0") ? text.replaceAll("\0", "") : text;
  if (cleaned !== text) {
    const message = "NUL bytes, probably left by a crash, were skipped.";
    sink.report(diagnosticAt(place, { code: "nul-bytes", severity: "repair", message }));
    if (cleaned.trim() === "") return;
    const parsed = parseJsonText(cleaned);
    if (parsed.isJson) return sink.record(parsed.value, place);
  }
  const pieces = splitGlued(cleaned, line.isTerminated ? "ended" : "open", grammar);
  for (const value of pieces.values) sink.record(value, place);
  sink.report(diagnosticAt(place, lossOf(pieces, line)));
}

function lossOf(
  { values, lost }: Pieces,
  { isTerminated }: Line,
): Pick<Diagnostic, "code" | "severity" | "message"> {
  if (values.length > 0) {
    const message =
      lost > 0
        ? `${lost} characters of a half-written record are lost; ${values.length} later ones were read.`
        : `${values.length} records were on one line; all were read.`;
    return { code: "glued-line", severity: lost > 0 ? "damage" : "repair", message };
  }
  const code = isTerminated ? "bad-line" : "torn-line";
  const message = isTerminated
    ? "The line is not JSON and contains no complete record."
    : "The last line is cut off: it was still being written, or the agent was stopped.";
  return { code, severity: "damage", message };
}
