/**
 * Session text is untrusted. In documents for people it becomes plain text: without terminal
 * control sequences and without characters that make a line display differently from its content.
 */

/** `ESC ] 0 ; title BEL`, and the other string commands of terminals. */
const STRING_SEQUENCE =
  /(?:\x1b[\]PX^_]|[\x90\x98\x9d\x9e\x9f])[^\x07\x1b\x9c\n]*(?:\x07|\x1b\\|\x9c)/g;
/** `ESC [ 3 1 m`, `ESC ( B`, `ESC c`; the introducer also has a one-character form. */
const SEQUENCE = /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|\x1b[ -/]*[0-~]/g;
const LINE_END = /\r\n|[\r\f\x85\u2028\u2029]/g;
const CONTROL = /[\x00-\x08\x0b\x0e-\x1f\x7f-\x9f]/g;
/** Embeddings, overrides and isolates reorder the following text; tags are invisible. */
const REORDERING = /[\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/gu;
/** Invisible: they can hide the first character of a cell or split a word unnoticed. */
const ZERO_WIDTH = /[\u200b\u2060-\u2064\ufeff]/g;
const LONE_SURROGATE = /\p{Cs}/gu;

const HARMLESS = /^[ -~\n\t]*$/;

export function plainText(text: string): string {
  if (HARMLESS.test(text)) return text;
  return withoutControls(text)
    .replace(ZERO_WIDTH, "")
    .replace(REORDERING, named)
    .replace(LONE_SURROGATE, "\ufffd");
}

/** Removes terminals' control sequences and characters; every kind of line end becomes `\n`. */
export function withoutControls(text: string): string {
  return text
    .replace(STRING_SEQUENCE, "")
    .replace(SEQUENCE, "")
    .replace(LINE_END, "\n")
    .replace(CONTROL, "");
}

/** Shows a hidden character as its code point, so that readers see it was there. */
function named(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return `[U+${code.toString(16).toUpperCase().padStart(4, "0")}]`;
}

/** The beginning of a text, on one line. */
export function firstLineOf(text: string, length: number): string {
  const line = plainText(text).replace(/\s+/g, " ").trim();
  if (line.length <= length) return line;
  return `${line.slice(0, length - 1).replace(/\p{Cs}$/u, "")}…`;
}
