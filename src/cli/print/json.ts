import { versioned } from "../../core/schema-version.ts";
import { safeJson } from "../../exports/json-text.ts";
import type { Writer } from "./writer.ts";

/** Output is written in chunks of about this size: an answer may exceed the length of a string. */
const PIECE_LENGTH = 65_536;

/** Deeper levels are not indented further: the indent would outgrow the content. */
const MOST_INDENTED = 32;

/** Writes an answer as one JSON document and a newline. */
export async function writeJson(out: Writer, answer: unknown): Promise<void> {
  await writeJsonValue(out, versioned(answer));
}

export async function writeJsonValue(out: Writer, value: unknown): Promise<void> {
  await writePieces(out, partsOf(value));
  await out.write("\n");
}

/** The same, for an object whose first field is a list that arrives in parts. */
export async function writeJsonList(
  out: Writer,
  { name, parts }: { name: string; parts: AsyncIterable<readonly unknown[]> },
  others: Readonly<Record<string, unknown>>,
): Promise<void> {
  await out.write(`{${margin(1)}${quoted(name)}: [`);
  let isEmpty = true;
  for await (const items of parts) {
    await writePieces(out, listed(items, isEmpty ? "first" : "more"));
    isEmpty &&= items.length === 0;
  }
  await out.write(isEmpty ? "]" : `${margin(1)}]`);
  for (const [key, value] of Object.entries(versioned(others) as object)) {
    if (value === undefined) continue;
    await writePieces(out, [",", margin(1), quoted(key), ": ", ...partsOf(value, 1)]);
  }
  await out.write("\n}\n");
}

/** Some items of a list inside the document. */
function* listed(items: readonly unknown[], part: "first" | "more"): Generator<string> {
  for (const [at, item] of items.entries()) {
    yield part === "first" && at === 0 ? margin(2) : `,${margin(2)}`;
    yield* partsOf(item, 2);
  }
}

async function writePieces(out: Writer, parts: Iterable<string>): Promise<void> {
  let piece = "";
  for (const part of parts) {
    piece += part;
    if (piece.length < PIECE_LENGTH) continue;
    await out.write(piece);
    piece = "";
  }
  await out.write(piece);
}

/** The beginning of a value's JSON on one line. */
export function briefJson(value: unknown, length: number): string {
  let text = "";
  for (const part of partsOf(value)) {
    text += part.replace(/\n\s*/g, " ");
    if (text.length > length) return `${text.slice(0, length)}…`;
  }
  return text;
}

/** An answer on one line, for JSONL; for small answers only. */
export function jsonLine(answer: object): string {
  return safeJson(JSON.stringify(versioned(answer)));
}

/** An unfinished array or object, with its remaining items. */
interface Begun {
  rest: Iterator<readonly [key: string | undefined, value: unknown]>;
  close: "]" | "}";
  isEmpty: boolean;
}

/**
 * Serialises a value like `JSON.stringify` with an indent of two, in parts of bounded length. Open
 * arrays and objects are kept in a list, not on the call stack, because recorded values may be
 * nested arbitrarily deep.
 */
function* partsOf(value: unknown, depth = 0): Generator<string> {
  const begun: Begun[] = [];
  yield* begin(value, { begun, depth });
  for (let inner = begun.at(-1); inner; inner = begun.at(-1)) {
    const { value: next, done } = inner.rest.next();
    if (done === true) {
      begun.pop();
      yield inner.isEmpty ? inner.close : margin(depth + begun.length) + inner.close;
      continue;
    }
    const [key, item] = next;
    if (key !== undefined && item === undefined) continue;
    yield `${inner.isEmpty ? "" : ","}${margin(depth + begun.length)}`;
    if (key !== undefined) yield `${quoted(key)}: `;
    inner.isEmpty = false;
    yield* begin(item, { begun, depth });
  }
}

function* begin(
  value: unknown,
  { begun, depth }: { begun: Begun[]; depth: number },
): Generator<string> {
  if (typeof value === "string") yield* textParts(value);
  else if (isSmall(value, depth + begun.length)) yield atOnce(value, depth + begun.length);
  else if (typeof value !== "object" || value === null) yield JSON.stringify(value) ?? "null";
  else if (Array.isArray(value)) {
    yield "[";
    begun.push({ rest: itemsOf(value), close: "]", isEmpty: true });
  } else {
    yield "{";
    begun.push({ rest: Object.entries(value).values(), close: "}", isEmpty: true });
  }
}

const SMALL_LENGTH = 4096;
const SMALL_DEPTH = 6;

/** Whether a value is short and flat, as most values in long lists are. */
function isSmall(value: unknown, depth: number): boolean {
  return depth + SMALL_DEPTH <= MOST_INDENTED && lengthOf(value, SMALL_DEPTH) <= SMALL_LENGTH;
}

/** Approximate length of its JSON; infinite if it is nested too deeply. */
function lengthOf(value: unknown, deepest: number): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 1;
  if (deepest === 0) return Number.POSITIVE_INFINITY;
  let length = 1;
  for (const inner of Object.values(value)) {
    length += lengthOf(inner, deepest - 1);
    if (length > SMALL_LENGTH) return length;
  }
  return length;
}

/** The output of `partsOf` as one string: written inside lists, so that it is indented. */
function atOnce(value: unknown, depth: number): string {
  let nested = value;
  for (let level = 0; level < depth; level += 1) nested = [nested];
  const text = JSON.stringify(nested, undefined, 2);
  // The lists begin with a bracket and the margin of each level, and end likewise.
  const [begins, ends] = [depth * (depth + 3), depth * (depth + 1)];
  return safeJson(text.slice(begins, text.length - ends));
}

function* itemsOf(values: readonly unknown[]): Generator<readonly [undefined, unknown]> {
  for (const value of values) yield [undefined, value];
}

function margin(depth: number): string {
  return `\n${"  ".repeat(Math.min(depth, MOST_INDENTED))}`;
}

function* textParts(text: string): Generator<string> {
  if (text.length <= PIECE_LENGTH) {
    yield quoted(text);
    return;
  }
  yield '"';
  let at = 0;
  while (at < text.length) {
    const end = cutAt(text, at + PIECE_LENGTH);
    yield quoted(text.slice(at, end)).slice(1, -1);
    at = end;
  }
  yield '"';
}

/** Avoids cutting a surrogate pair. */
function cutAt(text: string, end: number): number {
  const code = text.charCodeAt(end - 1);
  return end < text.length && code >= 0xd800 && code <= 0xdbff ? end - 1 : end;
}

function quoted(text: string): string {
  return safeJson(JSON.stringify(text));
}
