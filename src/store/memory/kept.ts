import type { KnownFile, KnownRoot, Version } from "../../core/files/kept.ts";
import { replacedFile } from "../../core/files/kept.ts";
import { diskFieldsOf, originalPath, READABLE_ROLES } from "../../core/files/session-file.ts";
import type { ByteSource } from "../../kernel/bytes.ts";
import { truncatedBytes, memoryBytes } from "../../kernel/bytes.ts";
import type { FileChange, FileReading, KnownQuery, NewRoot } from "../store.ts";

/** Opens the bytes of a file, if they are not held in memory. */
export type OpenBytes = (file: Pick<KnownFile, "path" | "content" | "sizeBytes">) => ByteSource;

/** A reading, with the state of the file that was read. */
export interface StoredReading extends FileReading {
  /** The file's id; for a replaced content, its negated number. */
  fileId: number;
  contentRead: number;
  sizeRead: number;
}

const NO_BYTES = new Uint8Array();

interface Content {
  bytes: Uint8Array;
  versions: Version[];
}

const THIS = { uid: "memory", name: "memory" };

type ContentChange = Extract<FileChange, { kind: "content" }>;

/** Roots, files, their contents and readings, in maps. */
export class KeptFiles {
  readonly roots: KnownRoot[] = [];
  readonly files: Map<number, KnownFile> = new Map();
  readonly readings: Map<number, StoredReading> = new Map();
  readonly #contents = new Map<number, Content>();
  /** Ids of files by root and path. */
  readonly #places = new Map<string, number>();
  readonly #open: OpenBytes | undefined;
  #lastId = 0;

  constructor(open?: OpenBytes) {
    this.#open = open;
  }

  addRoot({ source, path, how, machine = THIS }: NewRoot, nowMs: number): KnownRoot {
    const known = this.roots.find((root) => {
      return root.source === source && root.path === path && root.machine.uid === machine.uid;
    });
    if (known) {
      if (known.how === "visited" || how === "usual") known.how = how;
      known.lookedMs = nowMs;
      return { ...known };
    }
    const id = this.roots.length + 1;
    const from = { ...machine, isThis: machine.uid === THIS.uid };
    const root: KnownRoot = { id, source, path, how, machine: from, lookedMs: nowMs };
    this.roots.push(root);
    return { ...root };
  }

  /** Reads all new bytes, before anything is changed. */
  gather(changes: readonly FileChange[]): Map<FileChange, Uint8Array> {
    const gathered = new Map<FileChange, Uint8Array>();
    if (this.#open) return gathered;
    for (const change of changes) {
      if (change.kind !== "content") continue;
      const pieces = Array.from(change.content.pieces, (piece) => Buffer.from(piece));
      gathered.set(change, Buffer.concat(pieces));
    }
    return gathered;
  }

  /**
   * Returns true if another writer has changed the file since the comparison; that change is kept.
   */
  isOutdated(change: FileChange): boolean {
    const known = change.known;
    const file =
      change.kind === "content"
        ? this.#at(change.rootId, change.file.path)
        : this.files.get(change.known.id);
    if (!file || !known) return (file === undefined) !== (known === undefined);
    return file.content !== known.content || file.sizeBytes !== known.sizeBytes;
  }

  apply(change: FileChange, nowMs: number, bytes: Uint8Array | undefined): void {
    switch (change.kind) {
      case "content":
        this.#keep(change, nowMs, bytes ?? NO_BYTES);
        return;
      case "touched": {
        const { goneSinceMs: _back, ...known } = change.known;
        this.#put({
          ...known,
          ...diskFieldsOf(change.file),
          isSettled: change.isSettled,
          lastSeenMs: nowMs,
        });
        return;
      }
      case "gone":
        this.#put({ ...change.known, goneSinceMs: change.known.goneSinceMs ?? nowMs });
        return;
      default:
        return change satisfies never;
    }
  }

  #keep(change: ContentChange, nowMs: number, bytes: Uint8Array): void {
    const { rootId, file, content, known } = change;
    const isAppended = content.how === "appended" && known !== undefined;
    const number = isAppended ? known.content : (this.#lastId += 1);
    const id = known?.id ?? (this.#lastId += 1);
    const earlier = this.#contents.get(number) ?? { bytes: NO_BYTES, versions: [] };
    const { sizeBytes } = content;
    const { digest } = content;
    const version = { id: (this.#lastId += 1), fileId: id, content: number, sizeBytes, digest };
    this.#contents.set(number, {
      bytes: this.#open ? NO_BYTES : Buffer.concat([earlier.bytes, bytes]),
      versions: [...earlier.versions, { ...version, modifiedMs: file.modifiedMs, keptMs: nowMs }],
    });
    this.#put({
      ...diskFieldsOf(file),
      id,
      rootId,
      sizeBytes,
      content: number,
      digest,
      isSettled: content.isSettled,
      firstSeenMs: known?.firstSeenMs ?? nowMs,
      lastSeenMs: nowMs,
      keys: [],
      sessionIds: [],
    });
  }

  #put(file: KnownFile): void {
    this.files.set(file.id, file);
    this.#places.set(`${file.rootId} ${file.path}`, file.id);
  }

  #at(rootId: number, path: string): KnownFile | undefined {
    return this.files.get(this.#places.get(`${rootId} ${path}`) ?? -1);
  }

  read(reading: FileReading): void {
    const file = this.#at(reading.rootId, reading.path) ?? this.#holding(reading.content);
    if (!file) throw new RangeError(`A file was read and is not kept: ${reading.path}`);
    const { content = file.content } = reading;
    const fileId = content === file.content ? file.id : -content;
    const sizeRead = fileId < 0 ? this.#lengthOf(content) : file.sizeBytes;
    this.readings.set(fileId, { ...reading, fileId, contentRead: content, sizeRead });
  }

  #holding(content = -1): KnownFile | undefined {
    const version = this.#contents.get(content)?.versions[0];
    return version && this.files.get(version.fileId);
  }

  #lengthOf(content: number): number {
    return this.#contents.get(content)?.versions.at(-1)?.sizeBytes ?? 0;
  }

  known(query: KnownQuery): KnownFile[] {
    const sources = new Map(this.roots.map(({ id, source }) => [id, source]));
    const isMeant = (file: KnownFile): boolean =>
      (query.rootId ?? file.rootId) === file.rootId &&
      (query.source === undefined || sources.get(file.rootId) === query.source) &&
      query.roles?.includes(file.role) !== false &&
      query.ids?.includes(file.id) !== false &&
      query.paths?.includes(originalPath(file)) !== false &&
      (query.keys === undefined || file.keys.some((key) => query.keys?.includes(key)));
    const newest = [...this.files.values()].map((file) => this.#withReading(file));
    return [...newest, ...this.#replaced(query)].filter(isMeant);
  }

  #withReading(file: KnownFile): KnownFile {
    const { keys = [], sessionIds = [] } = this.readings.get(file.id) ?? {};
    return { ...file, keys, sessionIds };
  }

  /** Replaced contents that the query selects. */
  #replaced({ replaced, ids }: KnownQuery): KnownFile[] {
    return this.#earlier().flatMap((file) => {
      const isNamed = ids?.includes(file.id) === true;
      const isTelling = replaced === "with" && this.readings.get(file.id)?.isRead === true;
      return isNamed || isTelling ? [this.#withReading(file)] : [];
    });
  }

  /** Every content that is no longer the newest of its file. */
  #earlier(): KnownFile[] {
    return [...this.#contents].flatMap(([content, { versions }]) => {
      const last = versions.at(-1);
      const file = last && this.files.get(last.fileId);
      if (!file || file.content === content) return [];
      const later = [...this.#contents.values()]
        .flatMap((other) => other.versions)
        .filter(({ fileId, keptMs }) => fileId === file.id && keptMs > last.keptMs);
      const since = Math.min(...later.map(({ keptMs }) => keptMs));
      const { sizeBytes, modifiedMs } = last;
      const { digest: _ofTheNewest, ...rest } = file;
      const until = Number.isFinite(since) ? since : (file.goneSinceMs ?? file.lastSeenMs);
      return [replacedFile({ ...rest, content, sizeBytes, modifiedMs }, until)];
    });
  }

  unread(): number[] {
    const visited = new Set(this.roots.filter(({ how }) => how === "visited").map(({ id }) => id));
    return [...this.files.values(), ...this.#earlier()]
      .filter(({ rootId, role }) => !visited.has(rootId) && READABLE_ROLES.includes(role))
      .filter(({ id, content, sizeBytes }) => {
        const reading = this.readings.get(id);
        return reading?.contentRead !== content || reading.sizeRead !== sizeBytes;
      })
      .map(({ id }) => id);
  }

  versions(fileId: number): Version[] {
    const content = this.#contents.get(-fileId);
    const file = content?.versions[0]?.fileId ?? fileId;
    return [...this.#contents.values()]
      .flatMap(({ versions }) => versions)
      .filter((version) => version.fileId === file)
      .toSorted((a, b) => a.keptMs - b.keptMs || a.id - b.id);
  }

  bytes(file: Pick<KnownFile, "path" | "content" | "sizeBytes">): ByteSource {
    if (this.#open) return this.#open(file);
    const held = this.#contents.get(file.content)?.bytes ?? new Uint8Array();
    return truncatedBytes(memoryBytes(file.path, held), file.sizeBytes);
  }

  /** Removes files and replaced contents, with their readings. */
  forget(ids: readonly number[]): void {
    for (const id of ids) {
      this.readings.delete(id);
      const file = this.files.get(id);
      this.#contents.delete(file?.content ?? -id);
      this.files.delete(id);
      if (file) this.#places.delete(`${file.rootId} ${file.path}`);
    }
  }
}
