import { parseJsonText } from "./parse.ts";

/** Distinguishes an agent's records from objects nested in them. */
export interface RecordGrammar {
  /**
   * Matches where a record can begin in a damaged line; inside strings, these quotes are escaped.
   */
  opening: RegExp;
  isRecord(value: unknown): boolean;
  /**
   * Matches an incomplete record that contains a list of records: objects after its commas are
   * elements of that list, not separate records.
   */
  list?: RegExp;
}

/** What was recovered from a damaged line. */
export interface Pieces {
  values: unknown[];
  /** Number of characters that belong to no complete record. */
  lost: number;
}

/**
 * After a crash, the next record is appended to an incomplete one:
 *
 *     {"id":"g1","type":"gemini","conte{"id":"u2","type":"user","content":"…"}
 *
 * Tries every position where a record can begin, and keeps the complete ones. Objects nested in the
 * incomplete record look alike, but follow a bracket, a comma or a colon.
 */
export function splitGlued(
  text: string,
  lineEnd: "ended" | "open",
  grammar: RecordGrammar,
): Pieces {
  const values: unknown[] = [];
  const whole = text.trimEnd().length;
  let lost = 0;
  let from = 0;
  // Only an unclosed object requires a scan to the end; the budget keeps malicious input linear.
  let budget = 8 * text.length + 4_000_000;
  for (const { index: start } of text.matchAll(grammar.opening)) {
    if (start < from) continue;
    if (budget < 0) break;
    const end = objectEnd(text, start);
    budget -= (end === -1 ? text.length : end) - start;
    const isLast = lineEnd === "ended" && end === whole;
    if (
      end === -1 ||
      (isInside(text, from, start) && !(isLast && canFollow(text.slice(from, start), grammar)))
    ) {
      continue;
    }
    const parsed = parseJsonText(text.slice(start, end));
    if (!parsed.isJson || !grammar.isRecord(parsed.value)) continue;
    values.push(parsed.value);
    lost += start - from;
    from = end;
  }
  return { values, lost: lost + text.slice(from).trim().length };
}

/** Whether an object is an element or a value inside an incomplete record. */
function isInside(text: string, from: number, start: number): boolean {
  return start > from && /[[,:]\s*$/.test(text.slice(Math.max(from, start - 20), start));
}

/** Whether a record can follow directly: the incomplete record may end with a comma. */
function canFollow(half: string, { list }: RecordGrammar): boolean {
  return list?.test(half) !== true;
}

const QUOTE = 34;
const OPEN_LIST = 91;
const CLOSE_LIST = 93;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;
const BACKSLASH = 92;

/** Returns the position after the object that begins at `from`; -1 if it does not end. */
function objectEnd(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = closingQuote(text, at);
      if (at === -1) return -1;
    } else if (code === OPEN_OBJECT || code === OPEN_LIST) depth += 1;
    else if (code === CLOSE_OBJECT || code === CLOSE_LIST) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return -1;
}

function closingQuote(text: string, from: number): number {
  for (let at = text.indexOf('"', from + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    // A quote ends the string if an even number of backslashes precedes it.
    let slashes = 0;
    while (text.charCodeAt(at - slashes - 1) === BACKSLASH) slashes += 1;
    if (slashes % 2 === 0) return at;
  }
  return -1;
}
