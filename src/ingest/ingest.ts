import type { Archive, Forgotten } from "../store/archive.ts";
import { OutdatedContent } from "../store/archive.ts";
import type { KeptFile, KeptRoot, RootHow } from "../core/kept.ts";
import type { SessionFile } from "../core/session-file.ts";
import type { Root, Source } from "../sources/source.ts";
import type { ArchivedHome } from "./archived-home.ts";
import { archivedHome, homeAround } from "./archived-home.ts";
import type { Changed, Comparison } from "./changed.ts";
import { compare } from "./changed.ts";
import type { Home } from "./gather.ts";
import { isSessionFile } from "./gather.ts";
import { nameProjects } from "./name-projects.ts";
import { Store } from "./store.ts";
import type { Look } from "./directory-snapshot.ts";
import { lookAt, newsSince } from "./directory-snapshot.ts";
import { takeBytes } from "./take-bytes.ts";
import { readUnread, takeSessions } from "./take-sessions.ts";
import type { Progress, TookIn } from "./ingest-report.ts";
import { countTaken, nothingTaken, tellUnreadable } from "./ingest-report.ts";

export interface TakeInOptions {
  how: RootHow;
  nowMs: number;
  /** Only a search needs the words: other questions leave them for later, to be answered sooner. */
  text: "now" | "later";
  /** All sources, to name the projects of all roots. */
  sources: readonly Source[];
  progress?: Progress;
  /** Paths of files that their program may soon delete: they come in before all others. */
  urgent?: ReadonlySet<string>;
}

const NONE: ReadonlySet<string> = new Set();

/** The loop: what is found on the disk, and has changed, is kept, read and put into rows. */
export function takeIn(archive: Archive, home: Home, options: TakeInOptions): TookIn {
  try {
    return takeInOnce(archive, home, options);
  } catch (error) {
    if (!(error instanceof OutdatedContent)) throw error;
    return takeInOnce(archive, home, options);
  }
}

function takeInOnce(archive: Archive, home: Home, options: TakeInOptions): TookIn {
  const took = nothingTaken(home);
  const known = knownRoot(archive, home, options.how);
  const look = lookAt(home);
  const before = known && archive.rows.look(known.id);
  // All is as it was when it was last found to be kept: no need to compare file by file.
  if (before === look.stamp) return { ...took, unchanged: home.files.length };
  const single = known && singleNews(archive, known, { home, before, look });
  const kept = known && !single ? archive.files.files(known) : [];
  const comparison = withoutForgotten(archive, home, single ?? compare(home.files, kept));
  took.unchanged = comparison.unchanged;
  if (known && isNothingNew(comparison) && isAllRead(archive, known, home)) {
    remember(archive, known, { home, look, changed: [] });
    return took;
  }
  const root = known ?? addRoot(archive, home, options);
  // Should this come to no end, the next look has to compare all again.
  if (!single) archive.rows.putLook(root.id, "");
  const [sessions, companions] = split(comparison.changed);
  const store = new Store(archive, root, { nowMs: options.nowMs, text: options.text });
  settle(archive, store, { comparison, home, options });
  took.gone = comparison.gone.length;
  const hasEvidence = keepCompanions({ archive, store, took }, companions);
  const inside = single
    ? homeAround(archive, home.source, { root, ...knownOf(archive, sessions) })
    : homeWith(archive, home.source, { root, comparison, kept });
  const work = { archive, inside, store, ...progressOf(options) };
  takeSessions(work, sessions, { home, took, urgent: options.urgent ?? NONE });
  readUnread(work);
  took.sessions = store.sessions;
  if (hasEvidence || store.hasUnsureProject) nameProjects(archive, options.sources);
  // Reading what tells about projects may have complaints too.
  const { projects: _read, diagnostics: ofProjects } = inside;
  const diagnostics = [...home.diagnostics, ...ofProjects, ...took.diagnostics];
  archive.files.looked(root, { nowMs: options.nowMs, diagnostics });
  const { changed } = comparison;
  if (took.diagnostics.length === 0) remember(archive, root, { home, look, changed });
  else archive.rows.putLook(root.id, "");
  return took;
}

/**
 * Sessions that go on are the most common news. When the last look tells that there is no other,
 * only their files are compared with what is kept.
 */
function singleNews(
  archive: Archive,
  root: KeptRoot,
  { home, before, look }: { home: Home; before: string | undefined; look: Look },
): Comparison | undefined {
  const found = before === undefined ? undefined : newsSince(before, look);
  if (!found || found.length > MOST_NEWS) return undefined;
  const paths = found.map(({ path }) => path);
  const comparison = compare(found, archive.files.filesAt(root, paths));
  const { changed, moved } = comparison;
  const isKnown = (one: Changed): boolean => {
    return one.known !== undefined && one.known.goneSinceMs === undefined && isSession(one);
  };
  if (moved.length > 0 || !changed.every(isKnown)) return undefined;
  return { ...comparison, unchanged: home.files.length - changed.length };
}

/** Which files these are in the archive, and which sessions they were of. */
function knownOf(
  archive: Archive,
  changed: readonly Changed[],
): { files: number[]; sessions: Set<string> } {
  const files = changed.flatMap(({ known }) => known?.id ?? []);
  const sessions = files.flatMap((id) => archive.rows.reading(id)?.sessionId ?? []);
  return { files, sessions: new Set(sessions) };
}

/** All that is kept of a root, after its companions were. */
function homeWith(
  archive: Archive,
  source: Source,
  told: { root: KeptRoot; comparison: Comparison; kept: KeptFile[] },
): ArchivedHome {
  const { root, comparison, kept } = told;
  const { changed, moved, gone } = comparison;
  const isKnown = changed.every(isSession) && moved.length === 0 && gone.length === 0;
  return archivedHome(archive, source, { root, files: isKnown ? kept : archive.files.files(root) });
}

/** With more, comparing all at once is quicker. */
const MOST_NEWS = 500;

/**
 * What is kept is what was found, unless a file may have changed within its clock's tick: then the
 * next look compares all.
 */
function remember(
  archive: Archive,
  root: KeptRoot,
  told: { home: Home; look: Look; changed: readonly Changed[] },
): void {
  const found = told.changed.map(({ file }) => file);
  const paths = found.map(({ path }) => path);
  const kept = archive.files.filesAt(root, paths);
  const now = withoutForgotten(archive, told.home, compare(found, kept));
  archive.rows.putLook(root.id, isNothingNew(now) ? told.look.stamp : "");
}

/** A whole root is no longer there: what is kept of it is gone from the disk. */
export function missRoot(
  archive: Archive,
  place: { source: Source; root: Root },
  nowMs: number,
): TookIn | undefined {
  const home = { ...place, files: [] };
  const known = knownRoot(archive, home, "visited");
  const gone = known ? compare([], archive.files.files(known)).gone : [];
  if (gone.length === 0) return undefined;
  archive.files.markGone(
    gone.map(({ id }) => id),
    nowMs,
  );
  // When it is back as it was, that is news.
  if (known) archive.rows.putLook(known.id, "");
  return { ...nothingTaken(home), gone: gone.length };
}

function progressOf({ progress }: TakeInOptions): { progress?: Progress } {
  return progress ? { progress } : {};
}

/** A root that was only visited before, and is wanted now, is entered anew. */
function knownRoot(
  archive: Archive,
  { source, root }: Pick<Home, "source" | "root">,
  how: RootHow,
): KeptRoot | undefined {
  return archive.files.roots().find((one) => {
    const isRaised = one.how === "visited" && how !== "visited";
    return one.machine.isThis && one.source === source.id && one.path === root.path && !isRaised;
  });
}

function addRoot(archive: Archive, home: Home, { how, nowMs }: TakeInOptions): KeptRoot {
  const told = { source: home.source.id, path: home.root.path, how };
  // From now on, what is kept tells more.
  archive.skims.clear();
  return archive.write(() => archive.files.addRoot(told, nowMs));
}

function isNothingNew({ changed, moved, gone }: Comparison): boolean {
  return changed.length === 0 && moved.length === 0 && gone.length === 0;
}

/** Nothing waits to be read, and there is nothing else to say about the root than before. */
function isAllRead(archive: Archive, root: KeptRoot, home: Home): boolean {
  return archive.rows.unread(root.id).length === 0 && isSameWalk(archive, root, home);
}

/** What is wrong with folders and names is told on every look; only news are written down. */
function isSameWalk(archive: Archive, root: KeptRoot, { diagnostics }: Home): boolean {
  if (diagnostics.length === 0) return true;
  const known = new Set(archive.files.diagnostics(root).map((one) => JSON.stringify(one)));
  return diagnostics.every((one) => known.has(JSON.stringify(one)));
}

function withoutForgotten(archive: Archive, home: Home, comparison: Comparison): Comparison {
  const forgotten = archive.files.forgotten();
  const changed = comparison.changed.filter(({ file }) => {
    return !forgotten.has("file", file.path) || hasOthers(file, home, forgotten);
  });
  return { ...comparison, changed };
}

/** Sessions that were not forgotten may have written to a log since. */
function hasOthers(file: SessionFile, home: Home, forgotten: Forgotten): boolean {
  if (file.role !== "prompt-log") return false;
  try {
    const logs = home.source.readPromptLog(file, home.open(file), () => undefined);
    return logs.some(({ sessionId }) => !forgotten.has("session", sessionId));
  } catch {
    // It is gone, or closed: there is nothing to take in.
    return false;
  }
}

function settle(
  archive: Archive,
  store: Store,
  told: { comparison: Comparison; home: Home; options: TakeInOptions },
): void {
  const { comparison, home, options } = told;
  const closed = home.diagnostics.flatMap(({ code, file }) => {
    return code === "unreadable-folder" ? [file] : [];
  });
  // What lies in a folder that cannot be entered is not gone.
  const gone = comparison.gone.filter(({ path }) => !closed.some((at) => path.startsWith(at)));
  comparison.gone = gone;
  if (gone.length > 0)
    archive.files.markGone(
      gone.map(({ id }) => id),
      options.nowMs,
    );
  for (const moved of comparison.moved) store.restamp(moved);
}

function split(changed: readonly Changed[]): [sessions: Changed[], companions: Changed[]] {
  return [changed.filter(isSession), changed.filter((one) => !isSession(one))];
}

function isSession({ file }: Changed): boolean {
  return isSessionFile(file);
}

/** Evidence, spills, saved chats, prompt logs: bytes alone. Says whether any may name projects. */
function keepCompanions(
  told: { archive: Archive; store: Store; took: TookIn },
  changed: readonly Changed[],
): boolean {
  const { archive, store, took } = told;
  for (const one of changed) {
    try {
      const taken = takeBytes(archive, one);
      countTaken(took, taken, one);
      store.keep(taken, one.known);
    } catch (error) {
      tellUnreadable(took, one.file.path, error);
    }
  }
  return changed.some(({ file: { role } }) => role === "evidence" || role === "saved-chat");
}
