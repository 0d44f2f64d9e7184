const SCRIPTS = "Han Hiragana Katakana Hangul Thai Lao Khmer Myanmar Tibetan".split(" ");
/**
 * Scripts without spaces between words, and the prolonged sound mark that several of them share.
 */
const RUN: string = `[${SCRIPTS.map((name) => `\\p{Script=${name}}`).join("")}\\u30fc\\uff70]`;
const LETTER = "[\\p{L}\\p{N}\\p{Co}]";

/** Matches a character of such a script: a search may match in the middle of a run of them. */
export const UNSPACED_SCRIPT: RegExp = new RegExp(RUN, "u");
/**
 * Matches the words of a folded text. A run of characters in a script without spaces is one word.
 */
export const WORD: RegExp = new RegExp(`(?:(?=${LETTER})${RUN})+|(?:(?!${RUN})${LETTER})+`, "gu");

export interface Folded {
  text: string;
  /** Maps an offset in the folded text to an offset in the original text. */
  at(place: number): number;
}

const ACCENTED = /[\u00c0-\u024f\u1e00-\u1eff]/g;
/** All combining marks are in these ranges; testing them is faster than testing `\p{M}`. */
const MAY_COMBINE: RegExp = new RegExp(
  `[${[
    "\\u0300-\\u036f\\u0483-\\u0489\\u0591-\\u1dff\\u20d0-\\u20ff\\u2cef-\\u2dff",
    "\\u302a-\\u302f\\u3099\\u309a\\ua66f-\\uabff\\ud800-\\udfff\\ufb1e\\ufe00-\\ufe2f",
  ].join("")}]`,
);
const COMBINING = /\p{M}/u;

/** Converts to lower case and removes accents of Latin letters and combining marks. */
export function fold(text: string): Folded {
  const lower = text.toLowerCase();
  const isPlain = !MAY_COMBINE.test(lower) || !COMBINING.test(lower);
  if (isPlain && lower.length === text.length) {
    return { text: based(lower), at: (place) => place };
  }
  const places: number[] = [];
  let bare = "";
  let at = 0;
  for (const character of text) {
    const piece = foldCharacter(character);
    for (let unit = 0; unit < piece.length; unit += 1) places.push(at);
    bare += piece;
    at += character.length;
  }
  return { text: bare, at: (place) => places[place] ?? text.length };
}

function foldCharacter(character: string): string {
  return based(character.toLowerCase()).replace(/\p{M}/gu, "");
}

/** Final sigma is folded to sigma: matching must not depend on what follows the letter. */
function based(lower: string): string {
  return lower.replace(ACCENTED, baseOf).replaceAll("ς", "σ");
}

const bases = new Map<string, string>();

/** `é` → `e`; letters that are not a Latin letter with an accent are unchanged. */
function baseOf(letter: string): string {
  const known = bases.get(letter);
  if (known !== undefined) return known;
  const first = letter.normalize("NFD").charAt(0);
  const base = /[a-z]/.test(first) ? first : letter;
  bases.set(letter, base);
  return base;
}
