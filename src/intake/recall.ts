import { statSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import type { Archive } from "../archive/archive.ts";
import type { Digest } from "../model/digest.ts";
import { PolluxError } from "../model/error.ts";
import type { Recalled } from "./shelf.ts";

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

/** A text about each session; nothing when it depends on other sessions, too. */
export function rememberedTexts(
  { rows, mode }: Archive,
  { roots, name, make }: { roots: number[]; name: string; make: (digest: Digest) => string },
): string[] | undefined {
  const keys = rows.keys(roots);
  const sharing = rows.sharing();
  const isAlone = new Set(keys.values()).size === keys.size;
  if (!isAlone || [...keys.keys()].some((key) => sharing.has(key))) return undefined;
  const known = rows.memos(name);
  const missing = [...keys.keys()].filter((key) => !known.has(key));
  if (missing.length > 0) {
    const made = rows.sessionsAt(missing).map(({ key, digest }) => [key, make(digest)] as const);
    for (const [key, text] of made) known.set(key, text);
    if (mode === "write") quietly(() => rows.putMemos(name, new Map(made)));
  }
  return [...keys.keys()].flatMap((key) => known.get(key) ?? []);
}

/** Remembering is a convenience: with a full disk, or beside one who writes, there is an answer. */
export function quietly(put: () => void): void {
  try {
    put();
  } catch (error) {
    if (!(error instanceof PolluxError)) throw error;
  }
}
