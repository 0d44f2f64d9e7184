import { addAll } from "../core/lists.ts";
import type { KnownFile } from "../core/files/kept.ts";
import { replacedFile } from "../core/files/kept.ts";
import { optional } from "../core/optional.ts";
import type { SessionRow, SessionRows } from "../core/rows/session-rows.ts";
import type { ByteSource } from "../kernel/bytes.ts";
import type { Source } from "../sources/source.ts";
import type { Batch, FileChange, Forgotten, Store } from "../store/store.ts";
import { keysOf } from "./decode.ts";
import type { GroupFile } from "./group-files.ts";
import type { IngestReport } from "./ingest-report.ts";
import { addUnreadable, countRead } from "./ingest-report.ts";
import { keepProjects } from "./name-projects.ts";
import type { BytesRead } from "./read-bytes.ts";
import { changeOf, isUnchangedSinceScan, readBytes, FileKeepsChangingError } from "./read-bytes.ts";
import type { Member } from "./read-group.ts";
import { readGroup } from "./read-group.ts";
import type { ChangedFile } from "./scan.ts";
import { LARGE_BYTES, collectGarbage } from "./threads/garbage.ts";
import type { StoredHome } from "./stored-home.ts";
import { sessionFileOf } from "./stored-home.ts";
import { totalBytes } from "../core/files/session-file.ts";

/** State shared by all steps of an ingest. */
export interface IngestContext {
  store: Store;
  source: Source;
  clock: () => number;
  /** Kept roots, by root id. */
  homes: ReadonlyMap<number, StoredHome>;
  forgotten: Forgotten;
  /** Reports, by root id. */
  reports: ReadonlyMap<number, IngestReport>;
  /** Called after each group. */
  advance: (files: number, bytes: number) => void;
}

export interface GroupsResult {
  /** Paths of files that could not be read in a settled state, or had changed since the scan. */
  unsettled: Set<string>;
  /** Another process committed one of the files first: the store has to be compared again. */
  isOutdated: boolean;
  /** A session has new project information, or has none: projects have to be named again. */
  hasProjectNews: boolean;
}

/** Approximate size of one commit. Small: other writers wait for it, and it is held in memory. */
const STEP_BYTES = 8 * 1024 * 1024;
/** Most sessions of one commit: the rows of small sessions take more memory than their bytes. */
const STEP_SESSIONS = 500;
/** The files of one group are held in memory together up to this size. */
const IN_MEMORY_BYTES = 64 * 1024 * 1024;
const FEW_BYTES = 1024 * 1024;
const MOST_TRIES = 3;
const NOTHING = { files: [], readings: [], sessions: [], dropped: [] };

/** Reads groups of files, one after the other, and commits them in steps. */
export class GroupIngester {
  readonly result: GroupsResult = {
    unsettled: new Set(),
    isOutdated: false,
    hasProjectNews: false,
  };
  readonly #work: IngestContext;
  #step = new Step();

  constructor(work: IngestContext) {
    this.#work = work;
  }

  async ingest(group: readonly GroupFile[]): Promise<void> {
    const { source, advance } = this.#work;
    const bytes = totalBytes(group.map(({ file }) => file));
    const inMemoryBytes = bytes > IN_MEMORY_BYTES ? FEW_BYTES : IN_MEMORY_BYTES;
    const files: FileChange[] = [];
    const members: Member[] = [];
    for (const item of group) {
      if (item.kept) members.push(await this.#kept(item.kept));
      if (!item.changed) continue;
      const read = await this.#read(item.changed, { inMemoryBytes, files });
      if (read) addAll(members, read);
    }
    if (members.length > 0) {
      const { sessions, readings } = readGroup(source, members, "outline");
      await this.#add({ files, readings, sessions, dropped: this.#dropped(group, sessions) });
      // Free the decoded files before the commit, which needs memory to compress.
      if (bytes > LARGE_BYTES) collectGarbage();
    }
    this.#step.bytes += bytes;
    if (this.#step.isFull) await this.flush();
    advance(group.length, bytes);
  }

  async flush(): Promise<void> {
    const step = this.#step;
    this.#step = new Step();
    if (step.isEmpty) return;
    await this.#commit(step.batch);
  }

  async #commit(batch: Omit<Batch, "nowMs">): Promise<boolean> {
    const { store, clock } = this.#work;
    const done = await store.commit({ nowMs: clock(), ...batch });
    if (done === "outdated") this.result.isOutdated = true;
    return done !== "outdated";
  }

  async #kept(known: KnownFile): Promise<Member> {
    const { store, source, homes } = this.#work;
    const bytes = await store.bytes(known);
    const file = sessionFileOf(known);
    const home = homes.get(known.rootId)?.view;
    if (!home) throw new RangeError("The root of a kept file is missing.");
    return { rootId: known.rootId, file, bytes, home, keys: keysOf(source, file, bytes) };
  }

  /** Reads the current content, and the previous one if it was replaced. */
  async #read(
    changed: ChangedFile,
    { inMemoryBytes, files }: { inMemoryBytes: number; files: FileChange[] },
  ): Promise<Member[] | undefined> {
    const { file, known, rootId } = changed;
    const report = this.#work.reports.get(rootId);
    for (let tries = 1; ; tries += 1) {
      try {
        const read = await readChanged(this.#work, changed, inMemoryBytes);
        const members = await this.#membersOf(changed, read, files);
        if (report) countRead(report, read, changed);
        if (!read.isSettled || !isUnchangedSinceScan(changed, read))
          this.result.unsettled.add(file.path);
        return members;
      } catch (error) {
        if (error instanceof FileKeepsChangingError && tries < MOST_TRIES) continue;
        this.result.unsettled.add(file.path);
        if (report) addUnreadable(report, file.path, error);
        // The kept bytes still describe its session.
        return known && [await this.#kept(known)];
      }
    }
  }

  async #membersOf(changed: ChangedFile, read: BytesRead, files: FileChange[]): Promise<Member[]> {
    const { store, source, homes, clock } = this.#work;
    const { rootId, known } = changed;
    const { file, content } = read;
    const home = homes.get(rootId)?.view;
    if (!home) throw new RangeError("The root of a changed file is missing.");
    const before = content?.how === "whole" && known ? replacedFile(known, clock()) : undefined;
    const replaced = before && { ...(await this.#kept(before)), file: sessionFileOf(before) };
    const change = changeOf(changed, read);
    if (change && (!content || read.bytes)) files.push(change);
    // Too large for memory: commit it now and read it from the store.
    else if (change && !(await this.#commit({ ...NOTHING, files: [change] }))) return [];
    const bytes = read.bytes ?? (await keptBytes(store, { path: file.path, rootId }));
    if (!bytes) return [];
    const member = { rootId, file, bytes, home, keys: keysOf(source, file, bytes) };
    return replaced ? [member, replaced] : [member];
  }

  /** Sessions that these files held before and hold no longer. */
  #dropped(group: readonly GroupFile[], sessions: readonly SessionRows[]): Batch["dropped"] {
    const ids = new Set(sessions.map(({ summary }) => summary.id));
    const before = group.flatMap(({ changed, kept }) => {
      return (kept ?? changed?.known)?.sessionIds ?? [];
    });
    const source = this.#work.source.id;
    return [...new Set(before)].filter((id) => !ids.has(id)).map((id) => ({ source, id }));
  }

  async #add(batch: Omit<Batch, "nowMs">): Promise<void> {
    const { store, forgotten, reports } = this.#work;
    const wanted = batch.sessions.filter(({ summary }) => !forgotten.hasSession(summary));
    if (wanted.length === 0 && batch.sessions.length > 0) {
      // Do not ingest a copy of a forgotten session, nor keep one that another machine has sent.
      const found = batch.files.flatMap((change) => ("file" in change ? change.file.path : []));
      const kept = await keptFilesOf(store, batch);
      const paths = [...found, ...kept.flatMap(({ path, replaced }) => (replaced ? [] : path))];
      const files = kept.map(({ id }) => id);
      await store.forget({ files, sessions: [], paths, nowMs: this.#work.clock() });
      return;
    }
    const ids = wanted.map(({ summary }) => summary.id);
    const isKnown = batch.readings.some(({ path }) => this.#isKnown(batch, path));
    const previous = isKnown ? await rowsOf(store, ids) : [];
    const { sessions, hasNews } = keepProjects(wanted, previous);
    this.result.hasProjectNews ||= hasNews;
    const report = reports.get(batch.readings[0]?.rootId ?? 0);
    if (report) report.sessions += sessions.length;
    this.#step.add({ ...batch, sessions });
  }

  /** Whether a file was kept before this step. */
  #isKnown({ files }: Pick<Batch, "files">, path: string): boolean {
    const change = files.find((item) => "file" in item && item.file.path === path);
    return !change || change.known !== undefined;
  }
}

/** The files that a batch was read from, if they are in the store. */
async function keptFilesOf(
  store: Store,
  { readings }: Pick<Batch, "readings">,
): Promise<KnownFile[]> {
  const files: KnownFile[] = [];
  for (const { rootId, path, content } of readings) {
    const found = await store.known({ rootId, paths: [path], replaced: "with" });
    files.push(...found.filter(({ replaced }) => replaced?.number === content));
  }
  return files;
}

async function rowsOf(store: Store, ids: readonly string[]): Promise<SessionRow[]> {
  if (ids.length === 0) return [];
  const { items } = await store.sessions({ scope: "own", ids });
  return items;
}

async function readChanged(
  { store, clock }: IngestContext,
  changed: ChangedFile,
  inMemoryBytes: number,
): Promise<BytesRead> {
  const { known } = changed;
  const kept = known && known.digest === undefined ? await store.bytes(known) : undefined;
  return readBytes(changed, { clock, inMemoryBytes, ...optional("kept", kept) });
}

async function keptBytes(
  store: Store,
  { rootId, path }: { rootId: number; path: string },
): Promise<ByteSource | undefined> {
  const [known] = await store.known({ rootId, paths: [path] });
  return known && store.bytes(known);
}

/** Groups that are committed together. */
class Step {
  readonly batch = {
    files: [] as FileChange[],
    readings: [] as Batch["readings"][number][],
    sessions: [] as SessionRows[],
    dropped: [] as Batch["dropped"][number][],
  };
  bytes = 0;

  get isEmpty(): boolean {
    const { files, readings, dropped } = this.batch;
    return files.length === 0 && readings.length === 0 && dropped.length === 0;
  }

  get isFull(): boolean {
    return this.bytes >= STEP_BYTES || this.batch.sessions.length >= STEP_SESSIONS;
  }

  add({ files, readings, sessions, dropped }: Omit<Batch, "nowMs">): void {
    addAll(this.batch.files, files);
    addAll(this.batch.readings, readings);
    addAll(this.batch.sessions, sessions);
    addAll(this.batch.dropped, dropped);
  }
}
