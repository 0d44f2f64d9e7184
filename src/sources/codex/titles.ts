import { join } from "node:path";
import { diagnosticAt } from "../../core/files/diagnostic.ts";
import type { ByteSource } from "../../kernel/bytes.ts";
import { memoryBytes } from "../../kernel/bytes.ts";
import type { HomeView, Report } from "../source.ts";
import type { View } from "../view.ts";
import { diskView, textIn } from "../view.ts";
import { asName, asObject } from "../decoding/fields.ts";
import type { RecordGrammar } from "../decoding/glued.ts";
import { readJsonLines } from "../decoding/json-lines.ts";

export const TITLES_FILE = "session_index.jsonl";
const IGNORE: Report = () => undefined;
/** Read once for all sessions of a home. */
const known = new WeakMap<HomeView, ReadonlyMap<string, string>>();

/** Returns the given or generated name of a thread (0.152+). */
export function titleOf(
  threadId: string,
  files: readonly { home: HomeView }[],
): string | undefined {
  for (const { home } of files) {
    const titles = known.get(home) ?? titlesOf(home, IGNORE);
    known.set(home, titles);
    const title = titles.get(threadId);
    if (title !== undefined) return title;
  }
  return undefined;
}

/** All titles of a home, by thread; the newest last. */
export function titlesOf({ root, view }: HomeView, report: Report): ReadonlyMap<string, string> {
  return titlesIn(join(root, TITLES_FILE), view, report);
}

/** Reads the current titles from a file on disk. */
export function titlesAt(path: string): ReadonlyMap<string, string> {
  return titlesIn(path, diskView, IGNORE);
}

function titlesIn(path: string, view: View, report: Report): ReadonlyMap<string, string> {
  const text = textIn(view, path);
  // Without the file, no thread was ever named.
  return text === undefined ? new Map() : readTitles(memoryBytes(path, Buffer.from(text)), report);
}

const GRAMMAR: RecordGrammar = {
  opening: /\{\s*"id"\s*:/g,
  isRecord: (value) => asName(asObject(value)?.["id"]) !== undefined,
};

/**
 * `{"id": "…", "thread_name": "Ledger talk", "updated_at": "…"}`; the last of an id counts. Those
 * that were given last come last.
 */
function readTitles(bytes: ByteSource, report: Report): Map<string, string> {
  const titles = new Map<string, string>();
  readJsonLines(bytes, GRAMMAR, {
    report,
    record(value, place) {
      const entry = asObject(value);
      const id = asName(entry?.["id"]);
      const name = asName(entry?.["thread_name"]);
      if (id !== undefined && name !== undefined) {
        titles.delete(id);
        titles.set(id, name);
      } else {
        const message = "A line of the list of titles has no thread id or no title.";
        report(diagnosticAt(place, { code: "bad-element", severity: "notice", message }));
      }
    },
  });
  return titles;
}
