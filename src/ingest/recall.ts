import { statSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import type { Archive } from "../store/archive.ts";
import type { Digest } from "../core/digest.ts";
import { PolluxError } from "../core/error.ts";
import type { Recalled } from "./session-source.ts";

/** Another program may answer otherwise. The name of a built file tells what is in it. */
function programStamp(): string {
  const path = fileURLToPath(import.meta.url);
  return `${basename(path)} ${statSync(path).mtimeMs}`;
}

/**
 * Looks up what was answered before, as long as nothing has changed since. What is answered now is
 * remembered under the given revision: the one before anything of it was read.
 */
export function recall<T>(
  { answers, mode }: Pick<Archive, "answers" | "mode">,
  { question, revision }: { question: string; revision: number },
): Recalled<T> {
  const asked = `${programStamp()} ${question}`;
  const known = answers.find(asked);
  if (known !== undefined) return { known: JSON.parse(known) as T, keep: (answer) => answer };
  if (mode !== "write") return { keep: (answer) => answer };
  return {
    keep(answer) {
      quietly(() => answers.put(asked, { text: JSON.stringify(answer), revision }));
      return answer;
    },
  };
}

/** What is worked out about each session, and put together about many. */
export interface RememberWish {
  name: string;
  make: (digest: Digest) => string;
  runs?: RunsWish;
}

/** One text instead of the texts of many sessions, for a question of its own. */
export interface RunsWish {
  name: string;
  /** `like`: one that was put together before, about others. */
  fold: (texts: readonly string[], like: string | undefined) => string;
}

/**
 * A text about each session, or about each run of them; nothing when one depends on other sessions,
 * too.
 */
export function rememberedTexts(
  archive: Archive,
  { roots, ...wish }: RememberWish & { roots: readonly number[] },
): string[] | undefined {
  const keys = archive.rows.loneKeys(roots);
  if (!keys) return undefined;
  const { runs } = wish;
  if (!runs) return [...textsOf(archive, keys, wish).values()];
  const name = `${runs.name} ${JSON.stringify(roots)} ${programStamp()}`;
  return foldedTexts(archive, runsOf(keys), { ...wish, runs: { ...runs, name } });
}

/** What was told of a run holds as long as the same sessions are in it. */
function foldedTexts(
  archive: Archive,
  runs: readonly (readonly number[])[],
  wish: Required<RememberWish>,
): string[] {
  const { name, fold } = wish.runs;
  const known = archive.memos.find(
    name,
    runs.map(([first = 0]) => first),
  );
  const texts = runs.map((run) => told(known.get(run[0] ?? 0), signOf(run)));
  const like = texts.find((text) => text !== undefined);
  const missing = runs.filter((_, at) => texts[at] === undefined);
  const single = textsOf(archive, missing.flat(), wish);
  const news = new Map<number, string>();
  const all = runs.map((run, at) => {
    const before = texts[at];
    if (before !== undefined) return before;
    const own = run.flatMap((key) => single.get(key) ?? []);
    const text = fold(own, like);
    // Another process may have changed a session meanwhile.
    if (own.length === run.length) news.set(run[0] ?? 0, `${signOf(run)}${text}`);
    return text;
  });
  if (news.size > 0 && archive.mode === "write") quietly(() => archive.memos.put(name, news));
  return all;
}

/**
 * Keys are never given twice, and later ones are larger: what lies between two of them can only
 * become less. So the last one and their number tell whether a run is the same.
 */
function signOf(run: readonly number[]): string {
  return `${run.at(-1)} ${run.length} `;
}

function told(text: string | undefined, sign: string): string | undefined {
  return text?.startsWith(sign) === true ? text.slice(sign.length) : undefined;
}

/** One key of 32 ends a run. */
const RUN_SHIFT = 27;

/**
 * Cuts keys into runs, of 32 on average. Where one ends is told by its last key alone: a session
 * that comes or goes changes one run, not where all the others end.
 */
function runsOf(keys: readonly number[]): number[][] {
  const runs: number[][] = [];
  let run: number[] = [];
  for (const key of keys) {
    run.push(key);
    if (Math.imul(key, 0x9e37_79b1) >>> RUN_SHIFT !== 0) continue;
    runs.push(run);
    run = [];
  }
  return run.length > 0 ? [...runs, run] : runs;
}

function textsOf(
  { rows, memos, mode }: Archive,
  keys: readonly number[],
  { name, make }: RememberWish,
): Map<number, string> {
  if (keys.length === 0) return new Map();
  const known = memos.find(name, keys);
  const missing = keys.filter((key) => !known.has(key));
  if (missing.length === 0) return known;
  const made = rows.sessionsAt(missing).map(({ key, digest }) => [key, make(digest)] as const);
  if (mode === "write") quietly(() => memos.put(name, new Map(made)));
  return new Map([...known, ...made].toSorted(([a], [b]) => a - b));
}

/** Remembering is a convenience: with a full disk, or beside one who writes, there is an answer. */
export function quietly(put: () => void): void {
  try {
    put();
  } catch (error) {
    if (!(error instanceof PolluxError)) throw error;
  }
}
