/**
 * Session text is untrusted: what a model, a web page or a tool wrote must not move the cursor,
 * rename the window, fill the clipboard, or make a line read differently from what it says. Here
 * it becomes plain text, with the same visible characters and nothing else.
 */

/** Nearly all text is this: nothing to do, and found out at once. */
const PLAIN_LINE = /^[ -~]*$/;
const PLAIN_BLOCK = /^[ -~\n]*$/;

/** `ESC ] 0 ; title BEL`, and the other strings that a terminal takes as an order. */
const STRING_SEQUENCE =
  /(?:\x1b[\]PX^_]|[\x90\x98\x9d\x9e\x9f])[^\x07\x1b\x9c\n]*(?:\x07|\x1b\\|\x9c)/g;
/** `ESC [ 3 1 m`, `ESC ( B`, `ESC c`; the introducer has a one-character form as well. */
const SEQUENCE = /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|\x1b[ -/]*[0-~]/g;

const LINE_END = /\r\n|[\r\f\x85\u2028\u2029]/g;
const CONTROL = /[\x00-\x08\x0b\x0e-\x1f\x7f-\x9f]/g;

/**
 * Invisible characters: bidi controls, zero-width ones, fillers, tags and variation selectors.
 * Two are kept where they show: the selector behind an emoji, the joiner between two of them.
 * The few format characters that have a shape of their own (Arabic, Syriac, Kaithi) stay.
 */
const INVISIBLE =
  /(?![\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}])[\p{Cf}\p{DI}]/gu;
const EMOJI_JOINT =
  /(?<=\p{Emoji})[\ufe0e\ufe0f]|(?<=\p{ExtPict}[\ufe0f\p{EMod}]?)\u200d(?=\p{ExtPict})/uy;

/** More marks on one letter than any script needs would cover the lines around it. */
const MARKS = /(\p{M}{6})\p{M}+/gu;
const LONE_SURROGATE = /\p{Cs}/gu;

/** Text that stays on its line: line ends and tabs become a space. */
export function safeLine(text: string): string {
  if (PLAIN_LINE.test(text)) return text.trim();
  return safeBlock(text).replace(/\n+/g, " ").trim();
}

/** Text of several lines: line ends stay, tabs become spaces. */
export function safeBlock(text: string): string {
  if (PLAIN_BLOCK.test(text)) return text;
  return text
    .replace(STRING_SEQUENCE, "")
    .replace(SEQUENCE, "")
    .replace(LINE_END, "\n")
    .replace(/\t/g, "    ")
    .replace(CONTROL, "")
    .replace(LONE_SURROGATE, "\ufffd")
    .replace(INVISIBLE, keepEmojiJoint)
    .replace(MARKS, "$1");
}

function keepEmojiJoint(found: string, at: number, text: string): string {
  EMOJI_JOINT.lastIndex = at;
  return EMOJI_JOINT.test(text) ? found : "";
}
