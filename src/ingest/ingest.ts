import { groupBy } from "../core/group.ts";
import type { KnownFile, RootOrigin } from "../core/files/kept.ts";
import type { SessionFile } from "../core/files/session-file.ts";
import type { Source } from "../sources/source.ts";
import type { RootComparison, Store } from "../store/store.ts";
import { isCompanion } from "./companions/companions.ts";
import type { SourceRoot } from "./decode.ts";
import { isSessionFile } from "./decode.ts";
import type { GroupFile } from "./group-files.ts";
import { groupFiles } from "./group-files.ts";
import type { IngestProgress, IngestReport } from "./ingest-report.ts";
import { nameProjects } from "./name-projects.ts";
import { amountOf, ProgressMeter } from "./progress-meter.ts";
import type { ChangedFile, Comparison } from "./scan.ts";
import { hasNoChanges } from "./scan.ts";
import type { RootScan } from "./scan-root.ts";
import { markRootMissing, scanRoot } from "./scan-root.ts";
import type { StoredHome } from "./stored-home.ts";
import { storedHomes } from "./companions/stored-companions.ts";
import { readCompanions, keepCompanions } from "./companions/keep-companions.ts";
import type { IngestContext, GroupsResult } from "./ingest-groups.ts";
import { GroupIngester } from "./ingest-groups.ts";

export interface IngestOptions {
  how: RootOrigin;
  clock: () => number;
  progress?: (progress: IngestProgress) => void;
  /** Paths of files that their agent may soon delete; they are ingested first. */
  urgent?: ReadonlySet<string>;
  /** Shares the groups with another thread; by default this thread reads all of them. */
  share?: ShareGroups;
}

/** Reads and commits groups of files with the help of another thread. */
export type ShareGroups = (
  work: IngestContext,
  groups: readonly GroupFile[][],
) => Promise<GroupsResult>;

/** Rounds per source; a new round follows if another process committed first. */
const MOST_ROUNDS = 3;

/**
 * Compares roots with the store, keeps new bytes and derives rows from them. Committed steps
 * survive an interruption; the next run continues from there.
 */
export async function ingest(
  store: Store,
  places: readonly SourceRoot[],
  options: IngestOptions,
): Promise<IngestReport[]> {
  const reports: IngestReport[] = [];
  const meter = new ProgressMeter("keeping", options.progress);
  const scanned: [Source, SourceScans][] = [];
  for (const [source, own] of groupBy(places, (place) => place.source)) {
    for (const { root } of own.filter((place) => !place.root.isFound)) {
      const missed = await markRootMissing(store, { source, root }, options);
      if (missed) reports.push(missed);
    }
    // Also when no root is found: kept files of missing roots may still be unread.
    const found = own.filter(({ root }) => root.isFound);
    const scans = await scanAll(store, found, options);
    const changed = scans.flatMap(({ comparison }) => comparison.changed);
    if (found.length > 0) meter.expect(source.name, amountOf(sessionFiles(changed)));
    scanned.push([source, { places: found, scans }]);
  }
  // Asked once for all agents: the query checks every kept file.
  const isAllRead = (await store.unread()).length === 0;
  for (const [source, scans] of scanned) {
    reports.push(
      ...(await ingestSource(store, source, { ...options, ...scans, meter, isAllRead })),
    );
  }
  return reports;
}

/** The roots of one agent and their scans. */
interface SourceScans {
  places: readonly SourceRoot[];
  scans: readonly RootScan[];
}

async function scanAll(
  store: Store,
  places: readonly SourceRoot[],
  options: IngestOptions,
): Promise<RootScan[]> {
  const scans: RootScan[] = [];
  for (const place of places) scans.push(await scanRoot(store, place, options));
  return scans;
}

async function ingestSource(
  store: Store,
  source: Source,
  options: OnceOptions & SourceScans,
): Promise<IngestReport[]> {
  let { scans } = options;
  for (let round = 1; ; round += 1) {
    const { reports, isOutdated } = await ingestOnce(store, source, { ...options, scans });
    if (!isOutdated || round === MOST_ROUNDS) return reports;
    scans = await scanAll(store, options.places, options);
  }
}

async function ingestOnce(
  store: Store,
  source: Source,
  options: OnceOptions,
): Promise<{ reports: IngestReport[]; isOutdated: boolean }> {
  const { scans, clock } = options;
  const reports = scans.map(({ report }) => report);
  const news = scans.filter((scan) => !scan.isUnchanged);
  const isKept = news.every(({ comparison }) => hasNoChanges(comparison));
  if (isKept && options.isAllRead) {
    await storeComparisons(store, { scans: news, nowMs: clock() });
    return { reports, isOutdated: false };
  }
  const result = await ingestChanges(store, source, { ...options, scans: news });
  for (const { report, comparison } of news) report.unkept = unkeptOf(comparison, result);
  await storeComparisons(store, { scans: news, nowMs: clock(), remarks: result.remarks });
  return { reports, isOutdated: result.isOutdated };
}

function unkeptOf({ changed }: Comparison, { unsettled, isOutdated }: ChangesResult): string[] {
  const paths = changed.map(({ file }) => file.path);
  return isOutdated ? paths : paths.filter((path) => unsettled.has(path));
}

function sessionFiles(changed: readonly ChangedFile[]): SessionFile[] {
  return changed.map(({ file }) => file).filter(isSessionFile);
}

interface ChangesOptions extends IngestOptions {
  scans: readonly RootScan[];
  meter: ProgressMeter;
}

interface OnceOptions extends ChangesOptions {
  /** At the start, every kept file had been read. */
  isAllRead: boolean;
}

export interface ChangesResult extends Pick<GroupsResult, "unsettled" | "isOutdated"> {
  /** Diagnostics of the files that describe projects and titles, by root id. */
  remarks: ReadonlyMap<number, RootComparison["diagnostics"]>;
}

/** Keeps and reads new files on disk, and reads kept files that were not read yet. */
export async function ingestChanges(
  store: Store,
  source: Source,
  options: ChangesOptions,
): Promise<ChangesResult> {
  const { clock, scans, meter } = options;
  const reports = new Map(scans.map(({ root, report }) => [root.id, report]));
  const common = { store, source, clock, reports };
  const beside = await keepCompanions(common, scans);
  const unread = await unreadFiles(store, source);
  await readCompanions(common, unread.filter(isCompanion));
  const changed = scans.flatMap(({ comparison }) => comparison.changed);
  const homes = await storedHomes(store, [source]);
  const retitled = await retitledFiles(store, source, { homes, hasNews: beside.hasEvidence });
  const again = [...unread, ...retitled].filter(isSessionFile);
  const groups = await groupFiles(store, source, {
    changed: changed.filter(({ file }) => isSessionFile(file)),
    unread: [...new Map(again.map((file) => [file.id, file])).values()],
  });
  const byRoot = new Map(homes.map((home) => [home.root.id, home]));
  const forgotten = await store.forgotten();
  const advance = meter.begin(source.name, amountOf(groups.flat().map(({ file }) => file)));
  const work: IngestContext = { ...common, homes: byRoot, forgotten, advance };
  const result = await ingestGroups(work, inOrder(groups, options), options);
  if (beside.hasEvidence || result.hasProjectNews) {
    await nameProjects(store, source, { homes, nowMs: clock() });
  }
  return {
    unsettled: new Set([...beside.unsettled, ...result.unsettled]),
    isOutdated: beside.isOutdated || result.isOutdated,
    remarks: new Map(homes.map((home) => [home.root.id, remarksOf(home)])),
  };
}

/** Reported with every comparison, also if no session was read: it replaces the last one. */
function remarksOf({ view, diagnostics }: StoredHome): RootComparison["diagnostics"] {
  // The project index is built on first access, and reports its diagnostics then.
  const { projects: _made } = view;
  return diagnostics;
}

async function unreadFiles(store: Store, source: Source): Promise<KnownFile[]> {
  const ids = await store.unread();
  if (ids.length === 0) return [];
  return store.known({ source: source.id, ids, replaced: "with" });
}

/** Groups that may soon be deleted come first, then the newest: users ask for those. */
function inOrder(groups: readonly GroupFile[][], { urgent }: IngestOptions): GroupFile[][] {
  const isUrgent = (group: GroupFile[]): boolean => {
    return group.some(({ file }) => urgent?.has(file.path) === true);
  };
  const ranked = groups.map((group) => {
    const newest = Math.max(...group.map(({ file }) => file.modifiedMs));
    return { group, newest, rank: isUrgent(group) ? 0 : 1 };
  });
  return ranked
    .toSorted((a, b) => a.rank - b.rank || b.newest - a.newest)
    .map(({ group }) => group);
}

async function ingestGroups(
  work: IngestContext,
  groups: readonly GroupFile[][],
  { share }: IngestOptions,
): Promise<GroupsResult> {
  if (share) return share(work, groups);
  const ingester = new GroupIngester(work);
  for (const group of groups) await ingester.ingest(group);
  await ingester.flush();
  return ingester.result;
}

/** Stores diagnostics for each root, and its snapshot if every file was kept in the state found. */
async function storeComparisons(
  store: Store,
  seen: {
    scans: readonly RootScan[];
    nowMs: number;
    remarks?: ReadonlyMap<number, RootComparison["diagnostics"]>;
  },
): Promise<void> {
  const { scans, nowMs, remarks } = seen;
  const comparisons = scans.map(({ root, home, snapshot, report }): RootComparison => {
    const diagnostics = [
      ...home.diagnostics,
      ...(remarks?.get(root.id) ?? []),
      ...report.diagnostics,
    ];
    const isKept = report.unkept.length === 0;
    return { rootId: root.id, diagnostics, ...(isKept ? { snapshot: snapshot.text } : {}) };
  });
  if (comparisons.length === 0) return;
  await store.commit({ nowMs, files: [], readings: [], sessions: [], dropped: [], comparisons });
}

/** Titles to compare, newest first: comparing all would load too many rows. */
const LATEST = 500;

/**
 * Returns the files of sessions whose title has changed since they were read. Titles are in a
 * separate list, which changes without the session files. Its diagnostics are added to the home.
 */
async function retitledFiles(
  store: Store,
  source: Source,
  { homes, hasNews }: { homes: readonly StoredHome[]; hasNews: boolean },
): Promise<KnownFile[]> {
  const paths: string[] = [];
  for (const { root, view, diagnostics } of homes) {
    const titles = source.abilities.titles?.(view, (diagnostic) => diagnostics.push(diagnostic));
    if (!hasNews || !titles || titles.size === 0) continue;
    const ids = [...titles.keys()].slice(-LATEST);
    const query = { scope: [root.id], filter: { source: source.id } } as const;
    const { items } = await store.sessions({ ...query, ids });
    const renamed = items.filter(({ session }) => session.summary !== titles.get(session.id));
    paths.push(...renamed.flatMap(({ session }) => session.files.map(({ path }) => path)));
  }
  return paths.length === 0 ? [] : store.known({ source: source.id, paths, replaced: "with" });
}
