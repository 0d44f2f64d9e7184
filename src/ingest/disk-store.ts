import { setImmediate as nextTurn } from "node:timers/promises";
import { addAll } from "../core/lists.ts";
import { groupBy, groupConnected } from "../core/group.ts";
import type { KnownRoot } from "../core/files/kept.ts";
import type { SessionFile } from "../core/files/session-file.ts";
import { fileBytes } from "../kernel/bytes.ts";
import type { Depth, Source } from "../sources/source.ts";
import { memoryStore } from "../store/memory/store.ts";
import type { FileChange, FileReading, Store } from "../store/store.ts";
import { isCompanion, readCompanion, savedChatsIn } from "./companions/companions.ts";
import type { SourceRoot } from "./decode.ts";
import { isSessionFile, keysOf } from "./decode.ts";
import type { DiskHome } from "./disk-home.ts";
import { findHome } from "./disk-home.ts";
import { nameAllProjects } from "./name-projects.ts";
import type { GroupRows, Member } from "./read-group.ts";
import { readGroup } from "./read-group.ts";
import { comparePaths } from "./stored-home.ts";

/**
 * Reads everything on disk into memory. With depth "full" this is the oracle that every other way
 * to an answer is compared with: one thread, every file, no shortcuts.
 */
export async function diskStore(
  places: readonly SourceRoot[],
  { depth, nowMs }: { depth: "outline" | "full"; nowMs: number },
): Promise<Store> {
  const { store, homes } = await openHomes(places, nowMs);
  for (const [source, own] of groupBy(homes, (home) => home.source)) {
    await commitRows(store, { homes: own, rows: await readSource(source, own, depth), nowMs });
  }
  return store;
}

/** A root on disk, added to the memory store. */
export interface OpenedHome extends DiskHome {
  source: Source;
  root: KnownRoot;
}

/** Creates a memory store with all roots that exist; file bytes stay on disk. */
export async function openHomes(
  places: readonly SourceRoot[],
  nowMs: number,
): Promise<{ store: Store; homes: OpenedHome[] }> {
  const store = memoryStore({ bytes: ({ path }) => fileBytes(path) });
  const homes: OpenedHome[] = [];
  for (const { source, root } of places.filter((place) => place.root.isFound)) {
    const known = { source: source.id, path: root.path, how: "asked" } as const;
    homes.push({ source, root: await store.addRoot(known, nowMs), ...findHome({ source, root }) });
  }
  return { store, homes };
}

async function readSource(
  source: Source,
  homes: readonly OpenedHome[],
  depth: Depth,
): Promise<GroupRows> {
  const rows: GroupRows = { sessions: [], readings: [] };
  for (const group of groupsIn(source, homes)) {
    // Yield to the event loop, so that keys and Ctrl-C are handled.
    await nextTurn();
    const { sessions, readings } = readGroup(source, group, depth);
    addAll(rows.sessions, sessions);
    addAll(rows.readings, readings);
  }
  addAll(rows.readings, readCompanionsOf(source, homes));
  const views = homes.map(({ view }) => view);
  return { ...rows, sessions: nameAllProjects(rows.sessions, views) };
}

/** Groups the session files of all roots; the files of a group are in the order of reading. */
export function groupsIn(source: Source, homes: readonly OpenedHome[]): Member[][] {
  const members = membersIn(homes)
    .filter(({ file }) => isSessionFile(file))
    .map((member) => ({ ...member, keys: keysOf(source, member.file, member.bytes) }));
  const groups = groupConnected(members, ({ keys }) => keys);
  return groups.map((group) => group.toSorted((a, b) => comparePaths(a.file, b.file)));
}

function membersIn(homes: readonly OpenedHome[]): Member[] {
  return homes.flatMap(({ root, files, view }) => {
    return files.map((file): Member => {
      return { rootId: root.id, file, bytes: fileBytes(file.path, "found"), home: view, keys: [] };
    });
  });
}

/** Reads saved chats, prompt logs and titles. Chats also add paths to the project index. */
export function readCompanionsOf(source: Source, homes: readonly OpenedHome[]): FileReading[] {
  for (const { view, diagnostics } of homes) {
    source.abilities.titles?.(view, (diagnostic) => diagnostics.push(diagnostic));
  }
  const companions = membersIn(homes).filter(({ file }) => isCompanion(file));
  const chats = companions.filter(({ file }) => file.role === "saved-chat");
  savedChatsIn(chats.map((member) => ({ ...member, source })));
  return companions.map((member) => readCompanion(source, member));
}

/** Commits the rows of a source. */
export async function commitRows(
  store: Store,
  { homes, rows, nowMs }: { homes: readonly OpenedHome[]; rows: GroupRows; nowMs: number },
): Promise<void> {
  const files = homes.flatMap(({ root, files: found }) => {
    return found.map((file) => onDisk(file, root.id));
  });
  // Includes diagnostics of the files that name projects; they were read with the sessions.
  const comparisons = homes.map(({ root, diagnostics }) => ({ rootId: root.id, diagnostics }));
  await store.commit({ nowMs, files, ...rows, dropped: [], comparisons });
}

/** A file change without bytes, digest or settled state: the bytes stay on disk. */
function onDisk(file: SessionFile, rootId: number): FileChange {
  const { sizeBytes } = file;
  const content = { how: "whole", sizeBytes, digest: "", isSettled: false, pieces: [] } as const;
  return { kind: "content", rootId, file: { ...file, role: file.role }, content };
}
