/** A word of code that is written in humps: `getUserName`, `HTTPServer`. */
export interface Identifier {
  start: number;
  /** Its parts as they stand there: `get`, `User`, `Name`. */
  parts: string[];
}

/** Where one part of an identifier ends and the next begins. */
const HUMP = /[a-z0-9](?=[A-Z])|[A-Z](?=[A-Z][a-z])/g;
/** The first of them in a long text: without looking ahead, it is found eight times as quickly. */
const FIRST_HUMP = /[a-z0-9][A-Z]|[A-Z][A-Z][a-z]/g;
/** What is longer is no name, but encoded bytes. */
const LONGEST_NAME = 64;

/** All identifiers of a text that have parts. Only ASCII is looked at, as compilers once did. */
export function* identifiersIn(text: string): Generator<Identifier> {
  const hump = new RegExp(FIRST_HUMP);
  for (;;) {
    const found = hump.exec(text);
    if (!found) return;
    const start = startOf(text, found.index);
    const end = endOf(text, found.index);
    if (end - start <= LONGEST_NAME) yield { start, parts: partsOf(text.slice(start, end)) };
    hump.lastIndex = end;
  }
}

function partsOf(name: string): string[] {
  const parts: string[] = [];
  let from = 0;
  for (const { index } of name.matchAll(HUMP)) {
    parts.push(name.slice(from, index + 1));
    from = index + 1;
  }
  parts.push(name.slice(from));
  return parts;
}

function startOf(text: string, at: number): number {
  let start = at;
  while (start > 0 && at - start <= LONGEST_NAME && isAlphanumeric(text, start - 1)) start -= 1;
  return start;
}

function endOf(text: string, at: number): number {
  let end = at + 1;
  while (end < text.length && isAlphanumeric(text, end)) end += 1;
  return end;
}

function isAlphanumeric(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  const isDigit = unit >= 48 && unit <= 57;
  const lower = unit | 32;
  return isDigit || (lower >= 97 && lower <= 122);
}
