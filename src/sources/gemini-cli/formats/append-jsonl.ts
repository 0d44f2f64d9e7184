import { diagnosticAt } from "../../../core/files/diagnostic.ts";
import type { RecordedMessage } from "../../../core/session/message.ts";
import type { Place } from "../../../core/files/place.ts";
import { readFacts } from "./facts.ts";
import type { Json } from "../../decoding/fields.ts";
import { asList, asName, asObject } from "../../decoding/fields.ts";
import type { Format, Sink } from "./format.ts";
import type { RecordGrammar } from "../../decoding/glued.ts";
import { readJsonLines } from "../../decoding/json-lines.ts";
import { readMessage } from "./message.ts";

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
    // A document that spans several lines begins with an incomplete line.
    if (firstLine !== undefined) return !/[{,[]$/.test(firstLine.trim());
    return !/^\s*\{\s*\n/.test(text);
  },
  read(source, sink) {
    readJsonLines(source, GRAMMAR, {
      record: (value, place) => readRecord(value, place, sink),
      report: sink.report,
    });
  },
};

export const GRAMMAR: RecordGrammar = {
  opening: /\{\s*"(?:id|type|timestamp|\$set|\$rewindTo|sessionId)"\s*:/g,
  isRecord(value) {
    const record: Json = asObject(value) ?? {};
    if (typeof record["$rewindTo"] === "string" || asObject(record["$set"])) return true;
    if (asName(record["type"]) !== undefined) return "id" in record || "content" in record;
    return asName(record["sessionId"]) !== undefined;
  },
  list: /"messages"\s*:\s*\[/,
};

/** Checks record kinds in the same order as the writer. */
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
  const isNamed = asName(record["sessionId"]) !== undefined;
  // A whole document may be on one line.
  if (isNamed || asList(record["messages"])) {
    if (!isNamed) reportNameless(place, sink);
    return readHeader(record, place, sink);
  }
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

/** A header may contain the messages of a whole older document. */
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
    const message = "An element of the message list is not an object.";
    sink.report(diagnosticAt(place, { code: "bad-element", severity: "notice", message }));
    return [];
  });
}

/** Without a session id, the session is named after its file. */
export const NAMELESS = {
  code: "no-session-id",
  severity: "repair",
  message: "No session id is recorded; the file name is used instead.",
} as const;

export function reportNameless(place: Place, sink: Sink): void {
  sink.report(diagnosticAt(place, NAMELESS));
}

function unknown(keys: string[], place: Place, sink: Sink): void {
  sink.entry({ kind: "unknown", place, keys: keys.slice(0, 20) });
  const named = keys.slice(0, 5).map((key) => JSON.stringify(key.slice(0, 40)));
  const message = `A record of an unknown kind (${named.join(", ") || "not an object"}).`;
  sink.report(diagnosticAt(place, { code: "unknown-entry", severity: "notice", message }));
}
