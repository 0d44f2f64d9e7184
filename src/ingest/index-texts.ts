import type { Archive } from "../store/archive.ts";
import type { Source } from "../sources/source.ts";
import { archivedHome, homeAround } from "./archived-home.ts";
import { Store } from "./store.ts";
import type { Progress } from "./ingest-report.ts";

/** So many sessions go into the index in one step. */
const TOGETHER = 16;

/** Puts the text of sessions into the index whose rows were made without it, to answer sooner. */
export function indexTexts(
  archive: Archive,
  told: {
    roots: readonly number[];
    sources: readonly Source[];
    nowMs: number;
    progress?: Progress;
  },
): number {
  const waiting = archive.rows.withoutText(told.roots);
  if (waiting.length === 0) return 0;
  const roots = archive.files.roots().filter(({ id }) => told.roots.includes(id));
  let done = 0;
  for (const root of roots) {
    const source = told.sources.find(({ id }) => id === root.source);
    const sessions = waiting.filter(({ rootId }) => rootId === root.id);
    if (!source || sessions.length === 0) continue;
    const ids = sessions.map(({ id }) => id);
    // For a few sessions that went on, not all files have to be listed.
    const home =
      ids.length <= TOGETHER
        ? homeAround(archive, source, { root, sessions: ids })
        : archivedHome(archive, source, { root, files: archive.files.files(root) });
    const store = new Store(archive, root, { nowMs: told.nowMs, text: "now" });
    for (let at = 0; at < ids.length; at += TOGETHER) {
      const some = ids.slice(at, at + TOGETHER);
      store.index(some, home);
      told.progress?.((done += some.length), waiting.length);
    }
  }
  return done;
}
