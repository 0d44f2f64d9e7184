/**
 * Makes session text safe to display. Browsers ignore escape sequences and most control characters,
 * but bidi controls would make a line display differently from its content, so they are shown as
 * visible codes.
 */
const TURNING = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const CONTROL = /[\x00-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f-\x9f\ufff9-\ufffb]/g;
const ESCAPES =
  /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|\x1b[\]PX^_][^\x07\x1b\n]*(?:\x07|\x1b\\)?|\x1b[ -/]*[0-~]?/g;

export function safeText(text: string): string {
  return showTurning(text.replace(ESCAPES, "")).replace(CONTROL, "");
}

function showTurning(text: string): string {
  return text.replace(
    TURNING,
    (found) => `[U+${found.charCodeAt(0).toString(16).padStart(4, "0")}]`,
  );
}

/** The first line of a text, shortened. */
export function firstLine(text: string): string {
  const line = safeText(text).trim().split("\n", 1)[0] ?? "";
  return line.length > 90 ? `${line.slice(0, 90)}…` : line || "…";
}
