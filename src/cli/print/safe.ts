import { withoutControls } from "../../exports/plain-text.ts";

/**
 * Session text is untrusted: text from a model, a web page or a tool must not move the cursor,
 * rename the window, fill the clipboard, or display differently from its content. These functions
 * reduce it to plain text with the same visible characters.
 */

/** Nearly all text is plain; this check is fast. */
const PLAIN_LINE = /^[ -~]*$/;
const PLAIN_BLOCK = /^[ -~\n]*$/;

/**
 * Invisible characters: bidi controls, zero-width characters, fillers, tags and variation
 * selectors. Keeps variation selectors and joiners inside emoji sequences, and the few format
 * characters that are visible (Arabic, Syriac, Kaithi).
 */
const INVISIBLE =
  /(?![\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}])[\p{Cf}\p{DI}]/gu;
const EMOJI_JOINT =
  /(?<=\p{Emoji})[\ufe0e\ufe0f]|(?<=\p{ExtPict}[\ufe0f\p{EMod}]?)\u200d(?=\p{ExtPict})/uy;

/** More combining marks than any script needs would cover the neighbouring lines. */
const MARKS = /(\p{M}{6})\p{M}+/gu;
const LONE_SURROGATE = /\p{Cs}/gu;

/** Text for a single line: line ends and tabs become spaces. */
export function safeLine(text: string): string {
  if (PLAIN_LINE.test(text)) return text.trim();
  return safeBlock(text).replace(/\n+/g, " ").trim();
}

/** Text with several lines: line ends stay, tabs become spaces. */
export function safeBlock(text: string): string {
  if (PLAIN_BLOCK.test(text)) return text;
  return withoutControls(text)
    .replace(/\t/g, "    ")
    .replace(LONE_SURROGATE, "\ufffd")
    .replace(INVISIBLE, keepEmojiJoint)
    .replace(MARKS, "$1");
}

function keepEmojiJoint(found: string, at: number, text: string): string {
  EMOJI_JOINT.lastIndex = at;
  return EMOJI_JOINT.test(text) ? found : "";
}
