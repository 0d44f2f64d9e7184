import type { Archive } from "../store/archive.ts";
import type { KeptRoot } from "../core/kept.ts";
import type { Source } from "../sources/source.ts";
import { archivedHome } from "./archived-home.ts";
import { nameProjects } from "./name-projects.ts";
import { Store } from "./store.ts";
import { readUnread } from "./take-sessions.ts";
import type { Progress } from "./ingest-report.ts";

export interface RebuildOptions {
  sources: readonly Source[];
  nowMs: number;
  text: "now" | "later";
  progress?: Progress;
}

/** Reads what is kept and not read yet, without a look at the disk. Says how many sessions. */
export function readKept(
  archive: Archive,
  roots: readonly KeptRoot[],
  options: RebuildOptions,
): number {
  const { sources, progress } = options;
  let sessions = 0;
  let isUnsure = false;
  for (const root of roots) {
    const source = sources.find(({ id }) => id === root.source);
    if (!source || archive.rows.unread(root.id).length === 0) continue;
    const store = new Store(archive, root, options);
    const inside = archivedHome(archive, source, { root, files: archive.files.files(root) });
    readUnread({ archive, inside, store, ...(progress ? { progress } : {}) });
    sessions += store.sessions;
    isUnsure ||= store.hasUnsureProject;
  }
  if (isUnsure) nameProjects(archive, sources);
  return sessions;
}

/** Throws all rows away and makes them again from the kept bytes. */
export function rebuild(archive: Archive, options: RebuildOptions): number {
  archive.rows.clear();
  return readKept(archive, archive.files.roots(), options);
}
