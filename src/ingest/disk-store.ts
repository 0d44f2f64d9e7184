import { groupBy, groupConnected } from "../core/group.ts";
import type { KnownFile, KnownRoot } from "../core/kept.ts";
import type { SessionRows } from "../core/session-rows.ts";
import type { ByteSource } from "../kernel/bytes.ts";
import { fileBytes } from "../kernel/bytes.ts";
import type { Depth, Source } from "../sources/source.ts";
import type { PlainReading } from "../store/memory/memory-store.ts";
import { MemoryStore } from "../store/memory/memory-store.ts";
import type { FileReading, KnownQuery, SessionTexts } from "../store/store.ts";
import { isCompanion, readCompanion, savedChatsIn } from "./companions.ts";
import type { Place } from "./decode.ts";
import { isSessionFile, keysOf } from "./decode.ts";
import type { DiskHome } from "./disk-home.ts";
import { findHome } from "./disk-home.ts";
import { nameAll } from "./name-projects.ts";
import type { Member } from "./read-group.ts";
import { readGroup } from "./read-group.ts";
import type { SessionStore } from "./stored-home.ts";

/**
 * All that lies on the disk, read into memory. With depth "full" this is the oracle that every other
 * way to an answer is compared with: one thread, every file, no shortcuts.
 */
export function diskStore(places: readonly Place[], depth: Depth): DiskStore {
  const homes = enter(places);
  const store = new DiskStore(homes);
  for (const [source, own] of groupBy(homes, (home) => home.source)) {
    store.fill(own, readSource(source, own, depth));
  }
  return store;
}

/** A root on the disk, with the number that it has among those that are read together. */
export interface EnteredHome extends DiskHome {
  source: Source;
  root: KnownRoot;
}

export function enter(places: readonly Place[]): EnteredHome[] {
  return places
    .filter(({ root }) => root.isFound)
    .map(({ source, root }, at) => {
      const machine = { uid: "", name: "", isThis: true };
      const known = { id: at + 1, source: source.id, path: root.path, lookedMs: 0, machine };
      return { source, root: { ...known, how: "asked" as const }, ...findHome({ source, root }) };
    });
}

/** Rows of all sessions of a source, and how its files were read. */
export interface SourceRows {
  sessions: SessionRows[];
  readings: FileReading[];
}

function readSource(source: Source, homes: readonly EnteredHome[], depth: Depth): SourceRows {
  const sessions: SessionRows[] = [];
  const readings: FileReading[] = [];
  for (const group of groupsIn(source, homes)) {
    const rows = readGroup(source, group, depth);
    sessions.push(...rows.sessions);
    readings.push(...rows.readings);
  }
  readings.push(...readBeside(source, homes));
  const views = homes.map(({ view }) => view);
  return { sessions: nameAll(sessions, views), readings };
}

/** Session files that belong together, in all roots. */
export function groupsIn(source: Source, homes: readonly EnteredHome[]): Member[][] {
  const members = membersIn(homes)
    .filter(({ file }) => isSessionFile(file))
    .map((member) => ({ ...member, keys: keysOf(source, member.file, member.bytes) }));
  return groupConnected(members, ({ keys }) => keys);
}

function membersIn(homes: readonly EnteredHome[]): Member[] {
  return homes.flatMap(({ root, files, view }) => {
    return files.map((file): Member => {
      return { rootId: root.id, file, bytes: fileBytes(file.path), home: view, keys: [] };
    });
  });
}

/** Saved chats and prompt logs. Chats tell paths of projects, which those remember. */
export function readBeside(source: Source, homes: readonly EnteredHome[]): FileReading[] {
  const companions = membersIn(homes).filter(({ file }) => isCompanion(file));
  const chats = companions.filter(({ file }) => file.role === "saved-chat");
  savedChatsIn(chats.map((member) => ({ ...member, source })));
  return companions.map((member) => readCompanion(source, member));
}

/** The plain store, with the files that its rows were made of. */
export class DiskStore extends MemoryStore implements SessionStore {
  readonly #files: KnownFile[] = [];
  readonly #sources = new Map<number, string>();

  constructor(homes: readonly EnteredHome[]) {
    super(homes.map(({ root }) => root));
    for (const { root, source } of homes) this.#sources.set(root.id, source.id);
  }

  fill(homes: readonly EnteredHome[], { sessions, readings }: SourceRows): void {
    const known = new Map<string, KnownFile>();
    for (const { root, files } of homes) {
      for (const file of files) {
        const id = this.#files.length + 1;
        const seen = { firstSeenMs: 0, lastSeenMs: 0, isSettled: false, keys: [], sessionIds: [] };
        const one = { ...file, role: file.role, id, rootId: root.id, content: id, ...seen };
        this.#files.push(one);
        known.set(`${root.id} ${file.path}`, one);
      }
    }
    const plain = readings.flatMap((reading): PlainReading[] => {
      const file = known.get(`${reading.rootId} ${reading.path}`);
      if (!file) return [];
      file.keys = reading.keys;
      file.sessionIds = reading.sessionIds;
      return [{ ...reading, file }];
    });
    // Worked out here: what tells about projects may have complaints, too.
    const diagnostics = homes.flatMap((home) => home.diagnostics);
    this.add({ sessions, readings: plain, diagnostics });
  }

  async known(query: KnownQuery): Promise<KnownFile[]> {
    const { scope, rootId, source, ids, paths, keys, roles } = query;
    const isIn = <T>(list: readonly T[] | undefined, value: T): boolean => {
      return list === undefined || list.includes(value);
    };
    return this.#files.filter((file) => {
      return (
        (scope === "own" || scope.includes(file.rootId)) &&
        (rootId === undefined || rootId === file.rootId) &&
        (source === undefined || source === this.#sources.get(file.rootId)) &&
        isIn(ids, file.id) &&
        isIn(paths, file.path) &&
        isIn(roles, file.role) &&
        (keys === undefined || keys.some((key) => file.keys.includes(key)))
      );
    });
  }

  async bytes({ path }: Pick<KnownFile, "path">): Promise<ByteSource> {
    return fileBytes(path);
  }

  async indexTexts({ sessions }: { sessions: readonly SessionTexts[] }): Promise<void> {
    this.add({ texts: sessions });
  }
}
