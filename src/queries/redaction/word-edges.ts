/** Escapes that end in a letter or digit: `\n`, `\u003d`, `\x3d`, `%22`, `=3D`, a colour `[32m`. */
const ESCAPE_END =
  /(?:\\[abefnrtv0]|\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|%[0-9a-fA-F]{2}|=[0-9A-F]{2}|\[[\d;]{0,24}[mK])$/;

const LONGEST_ESCAPE = 26;

/**
 * Whether a token may begin here. Escapes are no part of it, nor are underscores (Markdown's
 * italics, `maps_TOKEN`).
 */
export function isWordStart(text: string, at: number): boolean {
  if (!/[A-Za-z0-9]/.test(text[at - 1] ?? "")) return true;
  return ESCAPE_END.test(text.slice(Math.max(0, at - LONGEST_ESCAPE), at));
}

/** A token ends here; closing underscores may follow. */
export const WORD_END = "(?!_*[A-Za-z0-9])";
