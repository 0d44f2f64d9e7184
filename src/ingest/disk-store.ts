import { groupBy, groupConnected } from "../core/group.ts";
import type { SessionFile } from "../core/session-file.ts";
import type { SessionRows } from "../core/session-rows.ts";
import { fileBytes } from "../kernel/bytes.ts";
import type { Depth, Source } from "../sources/source.ts";
import { memoryStore } from "../store/memory/store.ts";
import type { FileChange, FileReading, Store } from "../store/store.ts";
import { isCompanion, readCompanion, savedChatsIn } from "./companions.ts";
import type { Place } from "./decode.ts";
import { isSessionFile, keysOf } from "./decode.ts";
import type { DiskHome } from "./disk-home.ts";
import { findHome } from "./disk-home.ts";
import { nameAll } from "./name-projects.ts";
import type { Member } from "./read-group.ts";
import { readGroup } from "./read-group.ts";

export interface DiskStoreOptions {
  depth: Depth;
  nowMs: number;
}

/**
 * All that lies on the disk, read into memory. With depth "full" this is the oracle that every other
 * way to an answer is compared with: one thread, every file, no shortcuts.
 */
export async function diskStore(
  places: readonly Place[],
  { depth, nowMs }: DiskStoreOptions,
): Promise<Store> {
  const store = memoryStore({ bytes: ({ path }) => fileBytes(path) });
  for (const [source, own] of groupBy(places, (place) => place.source)) {
    const homes: EnteredHome[] = [];
    for (const { root } of own.filter((place) => place.root.isFound)) {
      const known = { source: source.id, path: root.path, how: "asked" } as const;
      const { id: rootId } = await store.addRoot(known, nowMs);
      homes.push({ rootId, ...findHome({ source, root }) });
    }
    const { sessions, readings } = readSource(source, homes, depth);
    const looks = homes.map(({ rootId, diagnostics }) => ({ rootId, diagnostics }));
    const files = homes.flatMap(({ rootId, files: found }) => {
      return found.map((file) => contentOnDisk(file, rootId));
    });
    const scope = "own";
    await store.commit({ scope, nowMs, files, readings, sessions, dropped: [], looks });
  }
  return store;
}

interface EnteredHome extends DiskHome {
  rootId: number;
}

function readSource(
  source: Source,
  homes: readonly EnteredHome[],
  depth: Depth,
): { sessions: SessionRows[]; readings: FileReading[] } {
  const opened = homes.flatMap(({ rootId, files, view }) => {
    return files.map((file): Member => {
      return { rootId, file, bytes: fileBytes(file.path), home: view, keys: [] };
    });
  });
  const members = opened
    .filter(({ file }) => isSessionFile(file))
    .map((member) => ({ ...member, keys: keysOf(source, member.file, member.bytes) }));
  const sessions: SessionRows[] = [];
  const readings: FileReading[] = [];
  for (const group of groupConnected(members, ({ keys }) => keys)) {
    const rows = readGroup(source, group, depth);
    sessions.push(...rows.sessions);
    readings.push(...rows.readings);
  }
  const companions = opened.filter(({ file }) => isCompanion(file));
  for (const member of companions) readings.push(readCompanion(source, member));
  // Saved chats tell paths of projects, too: those remember them.
  const chats = companions.filter(({ file }) => file.role === "saved-chat");
  savedChatsIn(chats.map((member) => ({ ...member, source })));
  const views = homes.map(({ view }) => view);
  return { sessions: nameAll(sessions, views), readings };
}

/** Its bytes stay where they are. */
function contentOnDisk(file: SessionFile, rootId: number): FileChange {
  const { sizeBytes } = file;
  const content = { how: "whole", sizeBytes, digest: "", isSettled: false, pieces: [] } as const;
  return { kind: "content", rootId, file, content };
}
