import type { Archive } from "../store/archive.ts";
import { groupBy } from "../core/group.ts";
import type { KeptFile } from "../core/kept.ts";
import { replacedFile } from "../core/kept.ts";
import type { SessionFile } from "../core/session-file.ts";
import type { ByteSource } from "../kernel/bytes.ts";
import type { ArchivedHome } from "./archived-home.ts";
import { archivedHome, byPlace, sessionFileOf } from "./archived-home.ts";
import type { Changed } from "./changed.ts";
import { isCompanion, readCompanion } from "./companions.ts";
import type { Home } from "./gather.ts";
import { likelyBytes } from "./gather.ts";
import { makeReady } from "./ready.ts";
import type { ChangedGroup, Share, Turns } from "./second-thread.ts";
import { beginShare, readySecondThread, thrownIn } from "./second-thread.ts";
import { LARGE_BYTES, sweepMemory } from "./spare-memory.ts";
import type { Bundle, Store } from "./store.ts";
import type { Taken } from "./take-bytes.ts";
import { releaseBytes, takeBytes } from "./take-bytes.ts";
import type { Progress, TookIn } from "./ingest-report.ts";
import { addTook, countTaken, tellUnreadable } from "./ingest-report.ts";

export interface Work {
  archive: Archive;
  /** In the archive, with what else helps to read a session. */
  inside: ArchivedHome;
  store: Store;
  progress?: Progress;
  /** Of two threads that write. */
  turns?: Turns;
}

/** Sessions go into the archive in steps of about so many bytes: short ones, for others wait. */
const STEP_BYTES = 16 * 1024 * 1024;
const MOST_BYTES: number = STEP_BYTES + STEP_BYTES / 4;

/**
 * Keeps and reads session files that have changed: what may soon be lost first, then the newest, as
 * they are asked for.
 */
export function takeSessions(
  work: Work,
  changed: readonly Changed[],
  disk: { home: Home; took: TookIn; urgent: ReadonlySet<string> },
): void {
  const keyOf = ({ file }: Changed): string => disk.home.peek(file) ?? file.path;
  const wanted = withoutForgotten(work, groupBy(changed, keyOf));
  const isUrgent = (one: ChangedGroup): boolean => {
    return filesOf(one).some(({ path }) => disk.urgent.has(path));
  };
  const groups = wanted
    .map(([key, group]) => ({ key, group }))
    .toSorted((a, b) => newest(filesOf(b)) - newest(filesOf(a)))
    .toSorted((a, b) => Number(isUrgent(b)) - Number(isUrgent(a)));
  const total = sizeOf(groups);
  const isShared = total >= SHARED_BYTES && groups.length > 1;
  const second = isShared ? beginShare(shareOf(work, groups)) : undefined;
  if (!second) return takeShare(work, groups, disk.took);
  const { progress } = work;
  const both = (done: number): void => progress?.(done + second.doneBytes(), total);
  takeShare({ ...work, progress: both, turns: second.turns }, groups, disk.took);
  const done = second.join();
  if (!done) {
    // It did not come to an end: what it has not kept is taken here.
    const theirs = groups.filter((_, at) => !second.turns.claimed.has(at));
    return takeShare(work, theirs, disk.took);
  }
  const error = thrownIn(done);
  if (error) throw error;
  addTook(disk.took, done.took);
  work.store.add(done);
  progress?.(total, total);
}

/** With less than this to read, a second thread is not worth its start. */
const SHARED_BYTES = 48 * 1024 * 1024;

/** All of this will be taken in: a second thread begins, if it will have something to do. */
export function readyForAll(homes: readonly Home[]): void {
  if (likelyBytes(homes) >= SHARED_BYTES) readySecondThread();
}

function shareOf({ archive, inside, store }: Work, groups: ChangedGroup[]): Share {
  const { kept: root, source } = inside;
  const options = { nowMs: store.nowMs, text: store.text };
  return { archive: archive.path, root, source: source.id, options, groups };
}

function sizeOf(groups: readonly ChangedGroup[]): number {
  return groups.reduce((sum, group) => sum + bytesOf(filesOf(group)), 0);
}

function filesOf({ group }: ChangedGroup): SessionFile[] {
  return group.map(({ file }) => file);
}

/** Keeps and reads files, in their order; of two threads, each takes a share of the sessions. */
export function takeShare(work: Work, groups: readonly ChangedGroup[], took: TookIn): void {
  const steps = groups.map((group) => {
    return { files: filesOf(group), bundle: () => takeGroup(work, group, { took }) };
  });
  putInSteps(work, steps);
}

/** Copies of what was forgotten do not come in; they are not opened a second time. */
function withoutForgotten(
  { archive, store }: Work,
  groups: ReadonlyMap<string, Changed[]>,
): [key: string, group: Changed[]][] {
  const forgotten = archive.files.forgotten();
  const unwanted = [...groups].filter(([key]) => forgotten.has("session", key));
  const paths = unwanted.flatMap(([, group]) => group.map(({ file }) => file.path));
  if (paths.length > 0) archive.files.markForgotten(paths, store.nowMs);
  return [...groups].filter(([key]) => !forgotten.has("session", key));
}

/** Reads files whose bytes are kept, but not what they tell. */
export function readUnread(work: Work): void {
  const { archive } = work;
  const { kept: root, source } = work.inside;
  const ids = new Set(archive.rows.unread(root.id));
  if (ids.size === 0) return;
  const replaced = archive.files.replaced(
    root,
    [...ids].filter((id) => id < 0),
  );
  const all = [...archive.files.files(root), ...replaced];
  const inside = archivedHome(archive, source, { root, files: all });
  const [companions, unread] = parted(all.filter(({ id }) => ids.has(id)));
  archive.write(() => {
    // What is there now first, then what it replaced, the newest of it first.
    const inOrder = companions.toSorted((a, b) => rank(a) - rank(b) || b.modifiedMs - a.modifiedMs);
    for (const file of inOrder) readCompanion(archive, inside, file);
  });
  const keyOf = (file: KeptFile): string => inside.peek(file) ?? file.path;
  const now = { ...work, inside };
  const groups = [...groupBy(unread.toSorted(byPlace), keyOf)].map(([key, files]) => ({
    files,
    bundle: () => readGroup(now, { key, members: files.map((file) => memberOf(archive, file)) }),
  }));
  putInSteps(
    now,
    groups.toSorted((a, b) => newest(b.files) - newest(a.files)),
  );
}

function rank({ replaced }: KeptFile): number {
  return replaced ? 1 : 0;
}

function parted(files: readonly KeptFile[]): [companions: KeptFile[], sessions: KeptFile[]] {
  return [files.filter(isCompanion), files.filter((file) => !isCompanion(file))];
}

interface Group {
  files: readonly SessionFile[];
  bundle(): Bundle | undefined;
}

function putInSteps(work: Work, groups: readonly Group[]): void {
  const { store, inside, progress, turns } = work;
  const put = (bundles: readonly Bundle[]): void => {
    store.makeReady();
    if (turns) turns.take(() => store.put(bundles, inside));
    else store.put(bundles, inside);
  };
  const total = groups.reduce((sum, { files }) => sum + bytesOf(files), 0);
  let waiting: Bundle[] = [];
  let waitingBytes = 0;
  let done = 0;
  for (const group of turns ? turns.share(groups) : groups) {
    const bundle = group.bundle();
    if (bundle) waiting.push(bundle);
    waitingBytes += bytesOf(group.files);
    if (waitingBytes < STEP_BYTES) continue;
    // While the other thread writes, there is something to read.
    if (turns?.isTaken === true && waitingBytes < MOST_BYTES) continue;
    put(waiting);
    done += waitingBytes;
    waiting = [];
    waitingBytes = 0;
    progress?.(done, total);
  }
  if (waiting.length > 0) put(waiting);
  progress?.(turns ? done + waitingBytes : total, total);
}

function bytesOf(files: readonly SessionFile[]): number {
  return files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
}

function newest(files: readonly SessionFile[]): number {
  return Math.max(...files.map(({ modifiedMs }) => modifiedMs));
}

interface Member {
  file: SessionFile;
  bytes: ByteSource;
}

function takeGroup(
  work: Work,
  { key, group }: ChangedGroup,
  { took }: { took: TookIn },
): Bundle | undefined {
  releaseBytes();
  const taken: Bundle["taken"] = [];
  const members: Member[] = [];
  for (const one of group) {
    try {
      const bytes = takeBytes(work.archive, one);
      countTaken(took, bytes, one);
      // One that is too large for memory is kept now, and read from there afterwards.
      if (!bytes.bytes) work.store.keep(bytes, one.known);
      else {
        members.push({ file: bytes.file, bytes: bytes.bytes });
        members.push(...replacedMember(work.archive, bytes, one));
        taken.push({ taken: bytes, ...(one.known ? { known: one.known } : {}) });
      }
    } catch (error) {
      tellUnreadable(took, one.file.path, error);
    }
  }
  if (members.length === 0) return undefined;
  return { ...readGroup(work, { key, members, changed: group }), taken };
}

/** What the file held before: it is not on the disk from now on, and stays in its session. */
function replacedMember(archive: Archive, { how }: Taken, { known }: Changed): Member[] {
  if (how !== "whole" || !known) return [];
  const { file, bytes } = memberOf(archive, replacedFile(known, known.lastSeenMs));
  return [{ file, bytes }];
}

function readGroup(
  work: Work,
  told: { key: string; members: readonly Member[]; changed?: readonly Changed[] },
): Bundle {
  const members = [...told.members, ...othersOf(work, told)];
  const inOrder = members.toSorted((a, b) => byPlace(a.file, b.file));
  const ready = makeReady(work.inside, inOrder, work.store.draft);
  // Its messages are not needed any more; packing what was read of them takes memory again.
  if (inOrder.some(({ file }) => file.sizeBytes > LARGE_BYTES)) sweepMemory();
  return { taken: [], ready };
}

/** The files of the same session that have not changed. */
function othersOf(
  { archive, inside }: Work,
  told: { key: string; members: readonly Member[]; changed?: readonly Changed[] },
): Member[] {
  const before = (told.changed ?? []).flatMap(({ known }) => {
    return known ? (archive.rows.reading(known.id)?.sessionId ?? []) : [];
  });
  const sessions = new Set([told.key, ...before]);
  const ids = new Set([...sessions].flatMap((id) => archive.rows.filesOf(id, inside.kept.id)));
  if (ids.size === 0) return [];
  const paths = new Set(told.members.map(({ file }) => file.path));
  return inside.files
    .flatMap(({ path }) => inside.fileAt(path) ?? [])
    .filter((file) => ids.has(file.id) && !paths.has(file.path))
    .map((file) => memberOf(archive, file));
}

/** A kept file, as the readers of sessions want it. */
function memberOf(archive: Archive, file: KeptFile): Member {
  return { file: sessionFileOf(file), bytes: archive.files.bytes(file) };
}
