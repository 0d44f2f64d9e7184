import { diagnosticAt } from "../../../core/diagnostic.ts";
import type { Place } from "../../../core/place.ts";
import type { ByteSource } from "../../../kernel/bytes.ts";
import type { DocumentEnd, Unit } from "./document.ts";
import { splitDocument } from "./document.ts";
import { readFacts } from "./facts.ts";
import type { Json } from "../../decoding/fields.ts";
import { asObject } from "../../decoding/fields.ts";
import type { Format, Sink } from "./format.ts";
import { reportNameless } from "./append-jsonl.ts";
import { readMessage } from "./message.ts";
import { parseJson } from "../../decoding/parse.ts";

/**
 * 0.4 to 0.38: one document, rewritten as a whole with every change.
 *
 *     {
 *       "sessionId": "S", "projectHash": "H", "startTime": "T0", "lastUpdated": "T1",
 *       "messages": [ {"id": "u1", "timestamp": "T0", "type": "user", "content": "…"} ]
 *     }
 */
export const singleJson: Format = {
  name: "single-json",
  claims: ({ opening, text }) => opening === "{" && !/^\s*\{\s*"history"\s*:/.test(text),
  read(source, sink) {
    const header: Json = Object.create(null) as Json;
    let isFactsGiven = false;
    const place = { file: source.path, line: 1, start: 0, end: 0 };
    const end = splitDocument(source, ["messages"], (unit) => {
      if (!unit.isElement) return readField(source, unit, { header, sink });
      if (!isFactsGiven) sink.entry({ kind: "header", place, facts: readFacts(header) });
      isFactsGiven = true;
      readElement(source, unit, sink);
    });
    // Fields may stand after the messages (`summary` does).
    const facts = readFacts(header);
    if (isFactsGiven && facts.sessionId === undefined) reportNameless(place, sink);
    if (isFactsGiven) sink.entry({ kind: "facts", place, facts });
    else if (facts.sessionId !== undefined) sink.entry({ kind: "header", place, facts });
    else reportOther(Object.keys(header), place, sink);
    reportEnd(source, end, sink);
  },
};

/** A document that names no session and holds no messages is of another kind. */
function reportOther(keys: readonly string[], place: Place, sink: Sink): void {
  sink.entry({ kind: "unknown", place, keys: keys.slice(0, 20) });
  const message = "The document names no session and holds no messages.";
  sink.report(diagnosticAt(place, { code: "unknown-format", severity: "notice", message }));
}

export function placeOf(source: ByteSource, unit: Unit): Place {
  const { line, start } = unit;
  return { file: source.path, line, start, end: start + unit.bytes.length };
}

function readField(source: ByteSource, unit: Unit, into: { header: Json; sink: Sink }): void {
  const parsed = parseJson(unit.bytes);
  if (parsed.isJson) {
    into.header[unit.key] = parsed.value;
    return;
  }
  reportElement(
    source,
    unit,
    { what: `The field ${JSON.stringify(unit.key.slice(0, 40))}`, ...parsed },
    into.sink,
  );
}

function readElement(source: ByteSource, unit: Unit, sink: Sink): void {
  const parsed = parseJson(unit.bytes);
  const place = placeOf(source, unit);
  if (!parsed.isJson) return reportElement(source, unit, { what: "A message", ...parsed }, sink);
  if (parsed.hasInvalidText) {
    const message = "Some bytes are not UTF-8; they are shown as replacement characters.";
    sink.report(diagnosticAt(place, { code: "invalid-utf8", severity: "repair", message }));
  }
  const record = asObject(parsed.value);
  if (!record) {
    sink.entry({ kind: "unknown", place, keys: [] });
    const message = "An element of the messages is no object.";
    sink.report(diagnosticAt(place, { code: "bad-element", severity: "notice", message }));
    return;
  }
  sink.entry({ kind: "message", place, message: readMessage(record, place, sink.report) });
}

// oxlint-disable-next-line max-params -- a report needs its unit, its words and its sink
export function reportElement(
  source: ByteSource,
  unit: Unit,
  told: { what: string; reason: string },
  sink: Sink,
): void {
  const message = `${told.what} could not be read: ${told.reason}.`;
  const place = placeOf(source, unit);
  sink.report(diagnosticAt(place, { code: "bad-element", severity: "damage", message }));
}

/** What is wrong with a document as a whole: it is cut off, or something stands behind it. */
export function reportEnd(source: ByteSource, end: DocumentEnd, sink: Pick<Sink, "report">): void {
  const { path: file } = source;
  const { line, offset: start } = end;
  if (!end.isComplete) {
    const message = "The document ends before it is complete; what stands before the cut was read.";
    sink.report({ code: "truncated-document", severity: "damage", message, file, line, start });
  } else if (end.trailingBytes > 0) {
    const message = `${end.trailingBytes} bytes behind the end of the document were not read.`;
    sink.report({ code: "bad-element", severity: "damage", message, file, line, start });
  }
}
