import type { KnownFile } from "../../core/files/kept.ts";
import { optional } from "../../core/optional.ts";
import type { HomeView } from "../../sources/source.ts";
import { diskView } from "../../sources/view.ts";
import type { FileChange, FileReading, Store } from "../../store/store.ts";
import { readCompanion } from "./companions.ts";
import { isSessionFile } from "../decode.ts";
import { addUnreadable, countRead } from "../ingest-report.ts";
import { changeOf, isUnchangedSinceScan, readBytes } from "../read-bytes.ts";
import type { Member } from "../read-group.ts";
import type { ChangedFile } from "../scan.ts";
import type { RootScan } from "../scan-root.ts";
import { sessionFileOf } from "../stored-home.ts";
import type { IngestContext, GroupsResult } from "../ingest-groups.ts";

type Work = Pick<IngestContext, "store" | "source" | "clock" | "reports">;

export interface CompanionsResult extends Pick<GroupsResult, "unsettled" | "isOutdated"> {
  /** A file that may name projects has changed. */
  hasEvidence: boolean;
}

const STEP_BYTES = 16 * 1024 * 1024;
/** Roles of files that may name projects, besides sessions. */
const NAMING = new Set(["evidence", "saved-chat"]);

/**
 * Keeps all files that are not sessions: evidence, spilled outputs, saved chats, prompt logs. They
 * come before the sessions, which are interpreted with their help. Also marks missing files.
 */
export async function keepCompanions(
  work: Work,
  scans: readonly RootScan[],
): Promise<CompanionsResult> {
  const result: CompanionsResult = { unsettled: new Set(), isOutdated: false, hasEvidence: false };
  let files = scans.flatMap(settledChanges);
  let bytes = 0;
  const flush = async (): Promise<void> => {
    const { store, clock } = work;
    const batch = { nowMs: clock(), files, readings: [], sessions: [], dropped: [] };
    if (files.length > 0 && (await store.commit(batch)) === "outdated") result.isOutdated = true;
    files = [];
    bytes = 0;
  };
  const changed = scans.flatMap(({ comparison }) => comparison.changed);
  for (const companion of changed.filter(({ file }) => !isSessionFile(file))) {
    result.hasEvidence ||= NAMING.has(companion.file.role);
    const change = await readChange(work, companion, result);
    if (!change) continue;
    files.push(change);
    bytes += companion.file.sizeBytes;
    if (bytes >= STEP_BYTES) await flush();
  }
  await flush();
  return result;
}

/** Changes that need no file to be read. */
function settledChanges({ comparison }: RootScan): FileChange[] {
  const gone = comparison.gone.map((known) => ({ kind: "gone", known }) as const);
  const touched = comparison.touched.map(({ file, known }) => {
    return { kind: "touched", file, known, isSettled: known.isSettled } as const;
  });
  return [...gone, ...touched];
}

async function readChange(
  { store, clock, reports }: Work,
  changed: ChangedFile,
  result: CompanionsResult,
): Promise<FileChange | undefined> {
  const { file, known, rootId } = changed;
  const report = reports.get(rootId);
  try {
    const kept = known && known.digest === undefined ? await store.bytes(known) : undefined;
    const options = { clock, inMemoryBytes: STEP_BYTES, ...optional("kept", kept) };
    const read = readBytes(changed, options);
    if (report) countRead(report, read, changed);
    if (!read.isSettled || !isUnchangedSinceScan(changed, read)) result.unsettled.add(file.path);
    return changeOf(changed, read);
  } catch (error) {
    result.unsettled.add(file.path);
    if (report) addUnreadable(report, file.path, error);
    return undefined;
  }
}

/** Reads saved chats and prompt logs whose bytes are kept but not read yet. */
export async function readCompanions(work: Work, unread: readonly KnownFile[]): Promise<void> {
  if (unread.length === 0) return;
  const { store, source, clock } = work;
  const roles = ["saved-chat", "prompt-log"] as const;
  const keptFiles = await store.known({ source: source.id, roles, replaced: "with" });
  // Current contents first, then the ones they replaced, newest first.
  const inOrder = unread.toSorted((a, b) => rank(a) - rank(b) || b.modifiedMs - a.modifiedMs);
  const readings: FileReading[] = [];
  const outdated = new Set<number>();
  for (const file of inOrder) {
    const newer = newerOf(file, [...keptFiles, ...unread]).filter(({ id }) => !outdated.has(id));
    const members = await Promise.all(newer.map((companion) => memberOf(store, companion)));
    const reading = readCompanion(source, await memberOf(store, file), members);
    if (!reading.isRead) outdated.add(file.id);
    readings.push(reading);
  }
  const rest = { files: [], sessions: [], dropped: [] };
  await store.commit({ nowMs: clock(), readings, ...rest });
}

function rank({ replaced }: KnownFile): number {
  return replaced ? 1 : 0;
}

/** Contents that replaced this one. */
function newerOf(file: KnownFile, others: readonly KnownFile[]): KnownFile[] {
  const { replaced } = file;
  if (!replaced) return [];
  const isNewer = (other: KnownFile): boolean => {
    if (other.rootId !== file.rootId || other.id === file.id) return false;
    if (!other.replaced) return other.path === replaced.path;
    if (other.replaced.path !== replaced.path) return false;
    return other.modifiedMs - file.modifiedMs > 0 || isLater(other, file);
  };
  return [...new Map(others.filter(isNewer).map((other) => [other.id, other])).values()];
}

function isLater(a: KnownFile, b: KnownFile): boolean {
  return a.modifiedMs === b.modifiedMs && a.content > b.content;
}

/** The root view is empty: the project is looked up only when the file is listed. */
async function memberOf(store: Store, file: KnownFile): Promise<Member> {
  const home: HomeView = { root: file.root, folders: [], view: diskView };
  const bytes = await store.bytes(file);
  return { rootId: file.rootId, file: sessionFileOf(file), bytes, home, keys: [] };
}
