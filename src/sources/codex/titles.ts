import { join } from "node:path";
import { readForeignText } from "../../kernel/open-file.ts";
import type { HomeView } from "../source.ts";
import { asName, asObject } from "../decoding/fields.ts";
import { parseJsonText } from "../decoding/parse.ts";

export const TITLES_FILE = "session_index.jsonl";
/** Read once for all sessions of a home. */
const known = new WeakMap<HomeView, ReadonlyMap<string, string>>();

/** The name that was given to a thread, or generated for it (0.152+). */
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

/** What a file on the disk tells now. */
export function titlesAt(path: string): ReadonlyMap<string, string> {
  return titlesIn(() => readForeignText(path));
}

/** `{"id": "…", "thread_name": "Ledger talk", "updated_at": "…"}`; the last of an id counts. */
function titlesIn(read: () => string): Map<string, string> {
  const titles = new Map<string, string>();
  let text: string;
  try {
    text = read();
  } catch {
    // No thread was ever named.
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
