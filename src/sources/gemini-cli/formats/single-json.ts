import { diagnosticAt } from "../../../core/files/diagnostic.ts";
import type { Place } from "../../../core/files/place.ts";
import type { Json } from "../../decoding/fields.ts";
import { asObject } from "../../decoding/fields.ts";
import { readJsonDocument } from "../../decoding/json-document.ts";
import { readFacts } from "./facts.ts";
import type { Format, Sink } from "./format.ts";
import { reportNameless } from "./append-jsonl.ts";
import { readMessage } from "./message.ts";

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
    readJsonDocument(source, ["messages"], {
      elementName: "A message",
      report: sink.report,
      field(key, value) {
        header[key] = value;
      },
      element(value, at) {
        if (!isFactsGiven) sink.entry({ kind: "header", place, facts: readFacts(header) });
        isFactsGiven = true;
        readElement(value, at, sink);
      },
    });
    // Fields may follow the messages (`summary` does).
    const facts = readFacts(header);
    if (isFactsGiven && facts.sessionId === undefined) reportNameless(place, sink);
    if (isFactsGiven) sink.entry({ kind: "facts", place, facts });
    else if (facts.sessionId !== undefined) sink.entry({ kind: "header", place, facts });
    else reportOther(Object.keys(header), place, sink);
  },
};

/** Reports a document that has neither a session id nor messages. */
function reportOther(keys: readonly string[], place: Place, sink: Sink): void {
  sink.entry({ kind: "unknown", place, keys: keys.slice(0, 20) });
  const message = "The document has no session id and no messages.";
  sink.report(diagnosticAt(place, { code: "unknown-format", severity: "notice", message }));
}

function readElement(value: unknown, place: Place, sink: Sink): void {
  const record = asObject(value);
  if (!record) {
    sink.entry({ kind: "unknown", place, keys: [] });
    const message = "An element of the message list is not an object.";
    sink.report(diagnosticAt(place, { code: "bad-element", severity: "notice", message }));
    return;
  }
  sink.entry({ kind: "message", place, message: readMessage(record, place, sink.report) });
}
