const SCRIPTS = "Han Hiragana Katakana Hangul Thai Lao Khmer Myanmar Tibetan".split(" ");
/** Scripts without spaces, and the sign that lengthens a vowel, which several of them share. */
const RUN: string = `[${SCRIPTS.map((name) => `\\p{Script=${name}}`).join("")}\\u30fc\\uff70]`;
const LETTER = "[\\p{L}\\p{N}\\p{Co}]";

/** Whether a character belongs to such a script: what is searched may stand in the middle. */
export const IS_RUN: RegExp = new RegExp(RUN, "u");
/** The words of a folded text; what is written without spaces is one word as far as it goes. */
export const WORD: RegExp = new RegExp(`(?:(?=${LETTER})${RUN})+|(?:(?!${RUN})${LETTER})+`, "gu");

export interface Folded {
  text: string;
  /** Where a place of the folded text stands in the text itself. */
  at(place: number): number;
}

const ACCENTED = /[\u00c0-\u024f\u1e00-\u1eff]/g;
/** All signs that combine lie in these ranges, which are quickly looked for. */
const MAY_COMBINE: RegExp = new RegExp(
  `[${[
    "\\u0300-\\u036f\\u0483-\\u0489\\u0591-\\u1dff\\u20d0-\\u20ff\\u2cef-\\u2dff",
    "\\u302a-\\u302f\\u3099\\u309a\\ua66f-\\uabff\\ud800-\\udfff\\ufb1e\\ufe00-\\ufe2f",
  ].join("")}]`,
);
const COMBINING = /\p{M}/u;

/** Lower-case, without the accents of Latin letters and without signs that combine. */
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

/** The sigma that ends a word is the same letter: what stands around it does not matter. */
function based(lower: string): string {
  return lower.replace(ACCENTED, baseOf).replaceAll("ς", "σ");
}

const bases = new Map<string, string>();

/** `é` → `e`; letters that are no letter with an accent stay. */
function baseOf(letter: string): string {
  const known = bases.get(letter);
  if (known !== undefined) return known;
  const first = letter.normalize("NFD").charAt(0);
  const base = /[a-z]/.test(first) ? first : letter;
  bases.set(letter, base);
  return base;
}
