import { diagnosticAt } from "../../../core/files/diagnostic.ts";
import type { Place } from "../../../core/files/place.ts";
import type { ByteSource } from "../../../kernel/bytes.ts";
import { asObject } from "../../decoding/fields.ts";
import type { RecordSink } from "../../decoding/json-lines.ts";
import { parseJson } from "../../decoding/parse.ts";

/** Larger documents are reported and not parsed. */
const MAX_BYTES = 400 * 1024 * 1024;
/** Limit of parse attempts in the rest of an overwritten document. */
const MAX_TRIES = 1000;

/**
 * The TypeScript version (0.1.2504 to 0.1.2505) writes one document, and rewrites it each time:
 *
 *     {"session": {"timestamp": "…", "id": "…"}, "items": [{"type": "message", …}, …]}
 *
 * A shorter write may overwrite a longer one: a whole document, then the tail of the longer one.
 * Complete items in that tail are read too, and so are those of a document that ends too early.
 */
export function readDocument(source: ByteSource, reader: RecordSink): void {
  const bytes = wholeOf(source);
  if (!bytes) {
    const message = "The document is too long to be read.";
    reader.report({ code: "line-too-long", severity: "damage", message, file: source.path });
    return;
  }
  const places = new Places(source.path, bytes);
  const seen = new Set<string>();
  const { end, isWhole } = readObject(bytes, (span) => {
    const found = visitSpan(bytes, span, (value) => {
      seen.add(JSON.stringify(value));
      reader.record(value, places.of(span));
    });
    if (found !== "broken") return;
    const message = "An item of the document is damaged; the others were read.";
    const place = places.of(span);
    reader.report(diagnosticAt(place, { code: "bad-element", severity: "damage", message }));
  });
  if (!isWhole) {
    const message = "The document is cut off; its complete items were read.";
    const place = places.of({ start: 0, end: bytes.length });
    reader.report(diagnosticAt(place, { code: "truncated-document", severity: "damage", message }));
    return;
  }
  readTail(bytes, end, (value, span) => {
    if (!seen.has(JSON.stringify(value))) reader.record(value, places.of(span));
  });
}

interface Span {
  start: number;
  end: number;
}

type Visit = (value: unknown, span: Span) => void;

function wholeOf(source: ByteSource): Buffer | undefined {
  const pieces: Buffer[] = [];
  let length = 0;
  for (const chunk of source.chunks()) {
    length += chunk.length;
    if (length > MAX_BYTES) return undefined;
    pieces.push(Buffer.from(chunk));
  }
  return Buffer.concat(pieces);
}

const QUOTE = 34;
const BACKSLASH = 92;
const OPEN_LIST = 91;
const CLOSE_LIST = 93;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;

/** Visits the header and the items: objects in the document, or in a list of it. */
function readObject(bytes: Buffer, visit: (span: Span) => void): { end: number; isWhole: boolean } {
  /** Open objects and lists, with their start. */
  const open: { code: number; start: number }[] = [];
  for (let at = 0; at < bytes.length; at += 1) {
    const code = bytes[at] ?? 0;
    if (code === QUOTE) at = stringEnd(bytes, at);
    else if (code === OPEN_OBJECT || code === OPEN_LIST) open.push({ code, start: at });
    else if (code === CLOSE_OBJECT || code === CLOSE_LIST) {
      const closed = open.pop();
      const isItem = open.length === 2 && open[1]?.code === OPEN_LIST;
      const isHeader = open.length === 1 && closed?.code === OPEN_OBJECT;
      if (closed && closed.code === OPEN_OBJECT && (isItem || isHeader)) {
        visit({ start: closed.start, end: at + 1 });
      }
      if (open.length === 0) return { end: at + 1, isWhole: true };
    }
  }
  return { end: bytes.length, isWhole: false };
}

function visitSpan(bytes: Buffer, span: Span, visit: Visit): "record" | "other" | "broken" {
  const parsed = parseJson(bytes.subarray(span.start, span.end));
  if (!parsed.isJson) return "broken";
  const value = asObject(parsed.value);
  if ((value?.["type"] ?? value?.["role"] ?? value?.["id"]) === undefined) return "other";
  visit(value, span);
  return "record";
}

function readTail(bytes: Buffer, from: number, visit: Visit): void {
  let tries = 0;
  for (let at = bytes.indexOf(OPEN_OBJECT, from); at !== -1; at = bytes.indexOf(OPEN_OBJECT, at)) {
    const end = objectEnd(bytes, at);
    const isItem =
      end !== -1 && isTyped(bytes, at) && visitSpan(bytes, { start: at, end }, visit) === "record";
    at = isItem ? end : at + 1;
    tries += 1;
    if (tries > MAX_TRIES) return;
  }
}

/** Items begin with their type or role; objects inside them begin with another type. */
function isTyped(bytes: Buffer, start: number): boolean {
  const head = bytes.toString("latin1", start, start + 400);
  return /^\{\s*"(?:type"\s*:\s*"(?:message|reasoning|\w+_call|\w+_output)"|role"|id")/.test(head);
}

function objectEnd(bytes: Buffer, start: number): number {
  let depth = 0;
  for (let at = start; at < bytes.length; at += 1) {
    const code = bytes[at] ?? 0;
    if (code === QUOTE) at = stringEnd(bytes, at);
    else if (code === OPEN_OBJECT || code === OPEN_LIST) depth += 1;
    else if (code === CLOSE_OBJECT || code === CLOSE_LIST) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return -1;
}

/** Returns the closing quote, or the end of the bytes if there is none. */
function stringEnd(bytes: Buffer, start: number): number {
  for (let at = bytes.indexOf(QUOTE, start + 1); at !== -1; at = bytes.indexOf(QUOTE, at + 1)) {
    let slashes = 0;
    while (bytes[at - slashes - 1] === BACKSLASH) slashes += 1;
    if (slashes % 2 === 0) return at;
  }
  return bytes.length;
}

/** Computes line numbers incrementally: counting continues from the last position. */
class Places {
  readonly #file: string;
  readonly #bytes: Buffer;
  #line = 1;
  #at = 0;

  constructor(file: string, bytes: Buffer) {
    this.#file = file;
    this.#bytes = bytes;
  }

  of({ start, end }: Span): Place {
    if (start < this.#at) {
      this.#line = 1;
      this.#at = 0;
    }
    for (;;) {
      const next = this.#bytes.indexOf(10, this.#at);
      if (next === -1 || next >= start) break;
      this.#line += 1;
      this.#at = next + 1;
    }
    return { file: this.#file, line: this.#line, start, end };
  }
}
