import type { Store } from "../store/store.ts";
import type { SourceRoot } from "./decode.ts";
import { filesIn, snapshotOf } from "./directory-snapshot.ts";
import { findHome } from "./disk-home.ts";
import type { IngestReport } from "./ingest-report.ts";
import { compare } from "./scan.ts";

/** How much of the disk is kept in its current state. */
export interface Safety {
  /** Location of the store. */
  path: string;
  /** When the store was last compared with the disk. */
  lookedMs: number;
  /** Files on disk whose current content is kept, and files whose content is not. */
  keptFiles: number;
  unkeptFiles: number;
}

/** Derives the answer from an ingest that has just run; undefined if its reports do not suffice. */
export async function safetyFromReports(
  store: Pick<Store, "roots" | "forgotten" | "location">,
  reports: readonly IngestReport[],
): Promise<{ safety: Safety; unkept: Set<string> } | undefined> {
  // Reports count forgotten files as found.
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

/** The state at the last look, if everything was kept then; else the disk has to be looked at. */
export async function safetyAtLastLook(
  store: Pick<Store, "roots" | "forgotten" | "location">,
  places: readonly SourceRoot[],
): Promise<{ safety: Safety; unkept: Set<string> } | undefined> {
  if ((await store.forgotten()).sessions.length > 0) return undefined;
  const roots = (await store.roots()).filter(({ machine }) => machine.isThis);
  const known = places
    .filter(({ root }) => root.isFound)
    .map(({ root, source }) => {
      return roots.find(({ path, source: id }) => path === root.path && id === source.id);
    });
  const counts = known.map((root) => (root?.snapshot === undefined ? NaN : filesIn(root.snapshot)));
  const keptFiles = counts.reduce((sum, count) => sum + count, 0);
  if (Number.isNaN(keptFiles)) return undefined;
  const lookedMs = Math.max(0, ...known.map((root) => root?.lookedMs ?? 0));
  const safety = { path: store.location, lookedMs, keptFiles, unkeptFiles: 0 };
  return { safety, unkept: new Set() };
}

/** Compares file system metadata with the store; opens and writes nothing. */
export async function compareWithDisk(
  store: Pick<Store, "roots" | "known" | "forgotten" | "location">,
  places: readonly SourceRoot[],
): Promise<{ safety: Safety; unkept: Set<string> }> {
  const unkept = new Set<string>();
  let files = 0;
  let lookedMs = 0;
  const roots = (await store.roots()).filter(({ machine }) => machine.isThis);
  const forgotten = await store.forgotten();
  for (const place of places.filter(({ root }) => root.isFound)) {
    // Forgotten files count as neither kept nor unkept.
    const home = findHome(place);
    const wanted = home.files.filter(({ path }) => !forgotten.hasFile(path));
    const root = roots.find(({ path, source }) => {
      return path === place.root.path && source === place.source.id;
    });
    files += wanted.length;
    lookedMs = Math.max(lookedMs, root?.lookedMs ?? 0);
    // A snapshot is stored only when all files of the root are kept.
    if (root?.snapshot === snapshotOf(home.files, home.diagnostics).text) continue;
    const kept = root ? await store.known({ rootId: root.id }) : [];
    for (const { file } of compare(0, wanted, kept).changed) unkept.add(file.path);
  }
  const counts = { keptFiles: files - unkept.size, unkeptFiles: unkept.size };
  return { safety: { path: store.location, lookedMs, ...counts }, unkept };
}
