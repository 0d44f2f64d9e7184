import { join } from "node:path";
import { readForeignText } from "../../kernel/open-file.ts";
import type { HomeView } from "../source.ts";
import { asName, asObject } from "../decoding/fields.ts";
import { parseJsonText } from "../decoding/parse.ts";

export const TITLES_FILE = "session_index.jsonl";
/** Read once for all sessions of a home. */
const known = new WeakMap<HomeView, ReadonlyMap<string, string>>();

/** Returns the given or generated name of a thread (0.152+). */
export function titleOf(
  threadId: string,
  files: readonly { home: HomeView }[],
): string | undefined {
  for (const { home } of files) {
    const title = titlesOf(home).get(threadId);
    if (title !== undefined) return title;
  }
  return undefined;
}

function titlesOf(home: HomeView): ReadonlyMap<string, string> {
  const before = known.get(home);
  if (before) return before;
  const titles = titlesIn(() => home.view.read(join(home.root, TITLES_FILE)));
  known.set(home, titles);
  return titles;
}

/** Reads the current titles from a file on disk. */
export function titlesAt(path: string): ReadonlyMap<string, string> {
  return titlesIn(() => readForeignText(path));
}

/** `{"id": "…", "thread_name": "Ledger talk", "updated_at": "…"}`; the last line of an id wins. */
function titlesIn(read: () => string): Map<string, string> {
  const titles = new Map<string, string>();
  let text: string;
  try {
    text = read();
  } catch {
    // The file does not exist: no thread was ever named.
    return titles;
  }
  for (const line of text.split("\n")) {
    const parsed = parseJsonText(line);
    const entry = asObject(parsed.isJson ? parsed.value : undefined);
    const id = asName(entry?.["id"]);
    const name = asName(entry?.["thread_name"]);
    if (id !== undefined && name !== undefined) titles.set(id, name);
  }
  return titles;
}
