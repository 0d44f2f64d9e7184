import { isUtf8 } from "node:buffer";
import type { FoundSecret } from "./secret.ts";

type Scan = (text: string) => FoundSecret[];

/**
 * Finds secrets that are written with JSON or percent escapes, coloured, broken over lines, or
 * encoded in base64. Returns them as they occur in the text, so that they can be masked.
 */
export function scanDisguised(
  text: string,
  scan: Scan,
  plain: readonly FoundSecret[],
): FoundSecret[] {
  const ends = new Map<number, number>();
  for (const { start, value } of plain) {
    ends.set(start, Math.max(ends.get(start) ?? 0, start + value.length));
  }
  const found = [
    ...scanView(text, unescaped(text), scan).filter(({ start, value }) => {
      return (ends.get(start) ?? 0) < start + value.length;
    }),
    // A secret without a break inside is in the text itself; the join only changed its context.
    // One that is complete on its line does not continue on the next, which may hold another.
    ...scanView(text, joined(text), scan).filter(({ start, value }) => {
      return value.includes("\n") && !ends.has(start);
    }),
  ];
  return [...found, ...scanBase64(text, scan)];
}

/** Secrets of the view, as they are written in the text. */
function scanView(text: string, view: View | undefined, scan: Scan): FoundSecret[] {
  if (view === undefined) return [];
  return scan(view.text).map(({ kind, value, start }) => {
    const from = view.at(start);
    return { kind, value: text.slice(from, view.at(start + value.length)), start: from };
  });
}

/** A transformed text, with a mapping from its offsets to offsets in the original. */
interface View {
  text: string;
  at(place: number): number;
}

/** Replaces all matches and records their offsets; undefined if nothing matches. */
function viewOf(
  text: string,
  pattern: RegExp,
  replace: (found: RegExpExecArray) => string,
): View | undefined {
  const starts: { view: number; original: number }[] = [{ view: 0, original: 0 }];
  let changed = "";
  let from = 0;
  for (const match of text.matchAll(pattern)) {
    const by = replace(match);
    changed += text.slice(from, match.index);
    starts.push({ view: changed.length, original: match.index });
    changed += by;
    from = match.index + match[0].length;
    starts.push({ view: changed.length, original: from });
  }
  if (from === 0) return undefined;
  changed += text.slice(from);
  return { text: changed, at: (place) => originalOf(starts, place) };
}

function originalOf(starts: readonly { view: number; original: number }[], place: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle]?.view ?? 0) <= place) low = middle;
    else high = middle - 1;
  }
  const { view = 0, original = 0 } = starts[low] ?? {};
  return original + place - view;
}

const SIGNS: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", b: "\b", f: "\f" };

/** A terminal colour, a JSON escape, or a percent escape of an ASCII character. */
const ESCAPE = new RegExp(
  [
    String.raw`(?:\u001b|\\+(?:u001b|x1b|033|e))\[[\d;]*[mK]`,
    String.raw`\\+(?:u([0-9a-fA-F]{4})|(["\\/bfnrt]))`,
    "%([2-7][0-9a-fA-F]|0[aAdD])",
  ].join("|"),
  "g",
);

/** Removes colours and resolves escapes: `\\u0041` and `%41` → `A`, `\\/` → `/`. */
function unescaped(text: string): View | undefined {
  return viewOf(text, ESCAPE, ([escape, code, sign, percent]) => {
    if (sign === "n" && escape.length > 3) return CONTINUED_LINE;
    if (sign !== undefined) return SIGNS[sign] ?? sign;
    const hex = code ?? percent;
    return hex === undefined ? "" : String.fromCharCode(Number.parseInt(hex, 16));
  });
}

/** JSON writes a backslash at the end of a line as `\\\n`. */
const CONTINUED_LINE = "\\\n";

/** Joins lines that were broken inside a word: by a terminal, a mail program or a backslash. */
function joined(text: string): View | undefined {
  if (!text.includes("\n")) return undefined;
  return viewOf(
    text,
    /(?<=[\w+/=.-])(?:\\|["']\s*[+.]?)?\r?\n[ \t>|]*["']?(?=[\w+/=-])/g,
    () => "",
  );
}

/** Longer base64 is pictures and archives. */
const BASE64 = /(?<![A-Za-z0-9+/=])[A-Za-z0-9+/]{24,8192}={0,2}(?![A-Za-z0-9+/=])/g;

function scanBase64(text: string, scan: Scan): FoundSecret[] {
  const found: FoundSecret[] = [];
  for (const { 0: value, index } of text.matchAll(BASE64)) {
    const inner = decoded(value);
    const secret = inner === undefined ? undefined : scan(inner)[0];
    if (secret) found.push({ kind: secret.kind, value, start: index });
  }
  return found;
}

/** Decodes base64; undefined if the content is not text. */
function decoded(value: string): string | undefined {
  const bytes = Buffer.from(value, "base64");
  for (let at = 0; at < Math.min(bytes.length, 32); at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte < 9 || (byte > 13 && byte < 32)) return undefined;
  }
  return isUtf8(bytes) ? bytes.toString("utf8") : undefined;
}
