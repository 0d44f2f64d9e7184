/**
 * The index knows words by the spaces between them. Scripts that are written without spaces
 * (Chinese, Japanese, Thai, …; Korean too, whose words carry endings) are cut into pairs of
 * characters, so that any part of a run is found:
 *
 *     函数解析  →  函数 数解 解析 析
 *
 * The last character stands alone, so that every character begins a word.
 */
const RUN: RegExp = new RegExp(
  `(?:[${[
    "\\u0e00-\\u109f", // Thai, Lao, Tibetan, Burmese
    "\\u1780-\\u17ff", // Khmer
    "\\u2e80-\\u2fdf\\u3005-\\u3007\\u3400-\\u4dbf\\u4e00-\\u9fff\\uf900-\\ufaff", // Chinese
    "\\u3040-\\u312f\\u31a0-\\u31bf\\u31f0-\\u31ff\\uff66-\\uff9f", // Japanese, Bopomofo
    "\\uac00-\\ud7af", // Korean
  ].join("")}]|[\\ud840-\\ud8bf][\\udc00-\\udfff])+`,
  "g",
);
const MARK = /\p{M}/u;
const MARKS = /\p{M}/gu;
/** Above this a text is all Latin letters, signs and their like: nothing to cut. */
const FIRST_OF_RUNS = /[\u0e00-\uffff]/;

/** Runs come again and again; short ones are worth remembering. */
const remembered = new Map<string, string>();
const REMEMBERED_LENGTH = 8;
const REMEMBERED_COUNT = 20_000;

export function segment(text: string): string {
  return FIRST_OF_RUNS.test(text) ? text.replace(RUN, segmentRun) : text;
}

function segmentRun(run: string): string {
  const known = remembered.get(run);
  if (known !== undefined) return known;
  const pairs = ` ${pairsOf(run).join(" ")} `;
  if (run.length <= REMEMBERED_LENGTH && remembered.size < REMEMBERED_COUNT) {
    remembered.set(run, pairs);
  }
  return pairs;
}

function pairsOf(run: string): string[] {
  const characters = charactersOf(run);
  return characters.map((character, at) => character + (characters[at + 1] ?? ""));
}

/** Vowel and tone signs are left out: the index would take them for the end of a word. */
function charactersOf(run: string): string[] {
  const bare = MARK.test(run) ? run.normalize("NFC").replace(MARKS, "") : run;
  return Array.from(bare);
}

/** A word that may stand in a query, as the index knows it. */
export interface Term {
  text: string;
  isPrefix: boolean;
}

/**
 * The same for what is searched. A run at the end of a phrase may go on in the text: its last
 * character begins a pair there, and only a single character is looked for as such a beginning.
 */
export function segmentPhrase(text: string, isPrefix: boolean): Term {
  const cut = segment(text).trim();
  const last = lastRun(text);
  if (last === undefined) return { text: cut, isPrefix };
  const count = charactersOf(last).length;
  if (count === 1) return { text: cut, isPrefix: true };
  return { text: cut.slice(0, cut.lastIndexOf(" ")), isPrefix };
}

/** The run that ends a text, when one does. */
function lastRun(text: string): string | undefined {
  const trimmed = text.trimEnd();
  for (const match of trimmed.matchAll(RUN)) {
    if (match.index + match[0].length === trimmed.length) return match[0];
  }
  return undefined;
}
