import type { Diagnostic } from "../../core/files/diagnostic.ts";
import { diagnosticAt } from "../../core/files/diagnostic.ts";
import type { Place } from "../../core/files/place.ts";
import type { ByteSource } from "../../kernel/bytes.ts";
import type { Piece, SplitEnd } from "../../kernel/json/split.ts";
import { splitJson } from "../../kernel/json/split.ts";
import { parseJson } from "./parse.ts";

/** Receives the parts of a document, in file order. */
export interface DocumentSink {
  /** The name of an element in diagnostics: `A message`. */
  elementName: string;
  field?(key: string, value: unknown): void;
  element(value: unknown, place: Place): void;
  report: (diagnostic: Diagnostic) => void;
}

/**
 * Reads a file that is one JSON document with lists of elements. Every element yields its value or
 * a diagnostic. Of a truncated document, everything before the cut is read.
 */
export function readJsonDocument(
  source: ByteSource,
  lists: readonly string[],
  sink: DocumentSink,
): void {
  const wanted = { lists: ["", ...lists], rest: "fields" } as const;
  const end = splitJson(source.chunks(), wanted, (piece) => {
    if (piece.isElement) return readElement(source, piece, sink);
    if (!sink.field) return;
    const parsed = parseJson(piece.bytes);
    if (parsed.isJson) return sink.field(piece.path, parsed.value);
    const name = `The field ${JSON.stringify(piece.path.slice(0, 40))}`;
    sink.report(badElement(placeOf(source, piece), name, parsed.reason));
  });
  reportEnd(source, end, sink);
}

function readElement(source: ByteSource, piece: Piece, sink: DocumentSink): void {
  const parsed = parseJson(piece.bytes);
  const place = placeOf(source, piece);
  if (!parsed.isJson) return sink.report(badElement(place, sink.elementName, parsed.reason));
  if (parsed.hasInvalidText) {
    const message = "Some bytes are not UTF-8; they are shown as replacement characters.";
    sink.report(diagnosticAt(place, { code: "invalid-utf8", severity: "repair", message }));
  }
  sink.element(parsed.value, place);
}

function placeOf(source: ByteSource, { line, start, bytes }: Piece): Place {
  return { file: source.path, line, start, end: start + bytes.length };
}

function badElement(place: Place, name: string, reason: string): Diagnostic {
  const message = `${name} could not be read: ${reason}.`;
  return diagnosticAt(place, { code: "bad-element", severity: "damage", message });
}

/** Reports a document that is truncated, or followed by other bytes. */
function reportEnd(source: ByteSource, end: SplitEnd, { report }: DocumentSink): void {
  const { path: file } = source;
  const { line, offset: start } = end;
  if (!end.isComplete) {
    const message = "The document is cut off; everything before that was read.";
    report({ code: "truncated-document", severity: "damage", message, file, line, start });
  } else if (end.trailingBytes > 0) {
    const message = `${end.trailingBytes} bytes after the end of the document were not read.`;
    report({ code: "bad-element", severity: "damage", message, file, line, start });
  }
}
