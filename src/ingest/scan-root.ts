import type { KnownFile, KnownRoot, RootOrigin } from "../core/files/kept.ts";
import type { Source } from "../sources/source.ts";
import type { Forgotten, Store } from "../store/store.ts";
import { fileBytes } from "../kernel/bytes.ts";
import type { SourceRoot } from "./decode.ts";
import { isSessionFile } from "./decode.ts";
import type { DirectorySnapshot } from "./directory-snapshot.ts";
import { filesInChangedRuns, snapshotOf } from "./directory-snapshot.ts";
import type { DiskHome } from "./disk-home.ts";
import { findHome } from "./disk-home.ts";
import type { IngestReport } from "./ingest-report.ts";
import { emptyReport } from "./ingest-report.ts";
import type { ChangedFile, Comparison } from "./scan.ts";
import { compare, withoutUnreadableFolders } from "./scan.ts";

/** The files found in a root, compared with the kept ones. */
export interface RootScan {
  root: KnownRoot;
  home: DiskHome;
  snapshot: DirectorySnapshot;
  comparison: Comparison;
  /** The snapshot equals the one stored when everything was last kept. */
  isUnchanged: boolean;
  report: IngestReport;
}

interface ScanOptions {
  how: RootOrigin;
  clock: () => number;
}

export async function scanRoot(
  store: Store,
  place: SourceRoot,
  options: ScanOptions,
): Promise<RootScan> {
  const { source, root: at } = place;
  const root = await enterRoot(store, place, options);
  const home = findHome({ source, root: at });
  const snapshot = snapshotOf(home.files, home.diagnostics);
  const report = emptyReport(at.path, home.files);
  const scan = { root, home, snapshot, report };
  if (root.snapshot === snapshot.text) {
    report.unchanged = home.files.length;
    const comparison = { changed: [], touched: [], gone: [], unchanged: home.files.length };
    return { ...scan, comparison, isUnchanged: true };
  }
  const forgotten = await store.forgotten();
  const found = (await singleNews(store, root, scan)) ?? (await allNews(store, root, home));
  const closed = withoutUnreadableFolders(found, home.diagnostics);
  const isWanted = (changed: ChangedFile): boolean => isNotForgotten(changed, source, forgotten);
  const comparison = { ...closed, changed: closed.changed.filter(isWanted) };
  report.unchanged = comparison.unchanged;
  report.gone = comparison.gone.length;
  return { ...scan, comparison, isUnchanged: false };
}

/**
 * Returns the stored root. A root known as "visited" is added again if it is now used otherwise.
 */
async function enterRoot(
  store: Store,
  { source, root }: SourceRoot,
  { how, clock }: ScanOptions,
): Promise<KnownRoot> {
  const known = await rootAt(store, source, root.path);
  const isRaised = known?.how === "visited" && how !== "visited";
  if (known && !isRaised) return known;
  return store.addRoot({ source: source.id, path: root.path, how }, clock());
}

async function rootAt(store: Store, source: Source, path: string): Promise<KnownRoot | undefined> {
  const roots = await store.roots();
  return roots.find((root) => {
    return root.machine.isThis && root.source === source.id && root.path === path;
  });
}

async function allNews(store: Store, root: KnownRoot, home: DiskHome): Promise<Comparison> {
  const kept = await store.known({ rootId: root.id });
  return compare(root.id, home.files, kept);
}

/** With more files than this, comparing all of them is quicker. */
const MOST_NEWS = 500;

/**
 * Quick path for the most common change, sessions that grew: compares only the files in changed
 * runs of the snapshot. Returns undefined if anything else changed.
 */
async function singleNews(
  store: Store,
  root: KnownRoot,
  { home, snapshot }: Pick<RootScan, "home" | "snapshot">,
): Promise<Comparison | undefined> {
  const found =
    root.snapshot === undefined ? undefined : filesInChangedRuns(root.snapshot, snapshot);
  if (!found || found.length > MOST_NEWS) return undefined;
  const paths = found.map(({ path }) => path);
  const kept = await store.known({ rootId: root.id, paths });
  const comparison = compare(root.id, found, kept);
  const { changed, touched } = comparison;
  const isGrown = ({ file, known }: ChangedFile): boolean => {
    return known !== undefined && known.goneSinceMs === undefined && isSessionFile(file);
  };
  if (touched.length > 0 || !changed.every(isGrown)) return undefined;
  return { ...comparison, unchanged: home.files.length - changed.length };
}

/** Forgotten files stay out, except prompt logs that now hold sessions that were not forgotten. */
function isNotForgotten({ file }: ChangedFile, source: Source, forgotten: Forgotten): boolean {
  if (!forgotten.hasFile(file.path)) return true;
  if (file.role !== "prompt-log") return false;
  try {
    const logs = source.abilities.promptLog?.read(file, fileBytes(file.path), () => undefined);
    return (
      logs?.some(({ sessionId: id }) => !forgotten.hasSession({ source: source.id, id })) === true
    );
  } catch {
    // Deleted or unreadable: there is nothing to keep.
    return false;
  }
}

/** Marks all kept files of a missing root as gone from disk. */
export async function markRootMissing(
  store: Store,
  { source, root }: SourceRoot,
  { clock }: ScanOptions,
): Promise<IngestReport | undefined> {
  const known = await rootAt(store, source, root.path);
  if (!known) return undefined;
  const there = (await store.known({ rootId: known.id })).filter(isThere);
  if (there.length === 0) return undefined;
  const files = there.map((file) => ({ kind: "gone", known: file }) as const);
  // No snapshot is stored, so that the root counts as changed when it comes back.
  const comparisons = [{ rootId: known.id, diagnostics: [] }];
  const nowMs = clock();
  await store.commit({ nowMs, files, readings: [], sessions: [], dropped: [], comparisons });
  return { ...emptyReport(root.path), gone: there.length };
}

function isThere({ goneSinceMs, replaced }: KnownFile): boolean {
  return goneSinceMs === undefined && !replaced;
}
