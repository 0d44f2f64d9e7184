import type { Store } from "../store/store.ts";
import type { Place } from "./decode.ts";
import { snapshotOf } from "./directory-snapshot.ts";
import { findHome } from "./disk-home.ts";
import type { IngestReport } from "./ingest-report.ts";
import { compare } from "./scan.ts";

/** What of the disk is in the store, as it is now. */
export interface Safety {
  /** Where the store lies. */
  path: string;
  /** When it was last compared with the disk. */
  lookedMs: number;
  /** Files on the disk whose newest content is kept, and how many are not. */
  keptFiles: number;
  unkeptFiles: number;
}

/** What was safe when the disk was looked at a moment ago; nothing when that does not tell. */
export async function safetyAfter(
  store: Pick<Store, "roots" | "forgotten" | "location">,
  reports: readonly IngestReport[],
): Promise<{ safety: Safety; unkept: Set<string> } | undefined> {
  // What was forgotten is among what was found.
  if ((await store.forgotten()).sessions.length > 0) return undefined;
  const paths = new Set(reports.map(({ root }) => root));
  const roots = (await store.roots()).filter(({ machine, path }) => {
    return machine.isThis && paths.has(path);
  });
  const lookedMs = Math.max(0, ...roots.map((root) => root.lookedMs));
  const unkept = new Set(reports.flatMap((report) => report.unkept));
  const found = reports.reduce((sum, report) => sum + report.found, 0);
  const counts = { keptFiles: found - unkept.size, unkeptFiles: unkept.size };
  return { safety: { path: store.location, lookedMs, ...counts }, unkept };
}

/** Compares by what the file system tells; opens nothing and writes nothing. */
export async function safetyOf(
  store: Pick<Store, "roots" | "known" | "forgotten" | "location">,
  places: readonly Place[],
): Promise<{ safety: Safety; unkept: Set<string> }> {
  const unkept = new Set<string>();
  let files = 0;
  let lookedMs = 0;
  const roots = (await store.roots()).filter(({ machine }) => machine.isThis);
  const forgotten = await store.forgotten();
  for (const place of places.filter(({ root }) => root.isFound)) {
    // What was forgotten is not to be kept: it is neither safe nor in danger.
    const home = findHome(place);
    const wanted = home.files.filter(({ path }) => !forgotten.has("file", path));
    const root = roots.find(({ path, source }) => {
      return path === place.root.path && source === place.source.id;
    });
    files += wanted.length;
    lookedMs = Math.max(lookedMs, root?.lookedMs ?? 0);
    // It is noted only of a root of which all is kept.
    if (root?.snapshot === snapshotOf(home.files, home.diagnostics).text) continue;
    const kept = root ? await store.known({ rootId: root.id }) : [];
    for (const { file } of compare(0, wanted, kept).changed) unkept.add(file.path);
  }
  const counts = { keptFiles: files - unkept.size, unkeptFiles: unkept.size };
  return { safety: { path: store.location, lookedMs, ...counts }, unkept };
}
