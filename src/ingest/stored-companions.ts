import type { Project } from "../core/project.ts";
import type { PromptLog } from "../core/prompt-log.ts";
import type { SavedChat } from "../core/saved-chat.ts";
import type { FileRole } from "../core/session-file.ts";
import type { Source } from "../sources/source.ts";
import type { Scope } from "../store/store.ts";
import { promptLogsIn, savedChatsIn } from "./companions.ts";
import type { OpenedFile } from "./decode.ts";
import type { SessionStore, StoredHome } from "./stored-home.ts";
import { byPlace, sessionFileOf, storedHome } from "./stored-home.ts";

/** Chats saved by hand, as they are kept. What is wrong with them was told when they were read. */
export async function savedChats(
  store: SessionStore,
  sources: readonly Source[],
  scope: Scope,
): Promise<SavedChat[]> {
  const homes = await storedHomes(store, sources, scope);
  const chats = await savedChatsOf(store, sources, scope, homes);
  return nameEach(store, scope, chats);
}

/** The same, with homes that are there already: their projects learn what the chats tell. */
// oxlint-disable-next-line max-params -- the homes are the caller's
export async function savedChatsOf(
  store: SessionStore,
  sources: readonly Source[],
  scope: Scope,
  homes: readonly StoredHome[],
): Promise<SavedChat[]> {
  return savedChatsIn(await openedWith("saved-chat", { store, sources, scope, homes }));
}

/** What was typed, session by session; also in sessions that are forgotten. */
export async function promptLogs(
  store: SessionStore,
  sources: readonly Source[],
  scope: Scope,
): Promise<PromptLog[]> {
  const homes = await storedHomes(store, sources, scope);
  const logs = promptLogsIn(await openedWith("prompt-log", { store, sources, scope, homes }));
  return nameEach(store, scope, logs);
}

/** Roots of a scope as they are kept. */
export async function storedHomes(
  store: SessionStore,
  sources: readonly Source[],
  scope: Scope,
): Promise<StoredHome[]> {
  const homes: StoredHome[] = [];
  for (const root of await store.roots()) {
    const source = sources.find(({ id }) => id === root.source);
    const isMeant = scope === "own" ? root.how !== "visited" : scope.includes(root.id);
    if (source && isMeant) homes.push(await storedHome(store, source, root));
  }
  return homes;
}

async function openedWith(
  role: FileRole,
  kept: {
    store: SessionStore;
    sources: readonly Source[];
    scope: Scope;
    homes: readonly StoredHome[];
  },
): Promise<(OpenedFile & { source: Source })[]> {
  const { store, sources, scope, homes } = kept;
  const opened: (OpenedFile & { source: Source })[] = [];
  const files = await store.known({ scope, roles: [role], replaced: "with" });
  for (const file of files.toSorted(byPlace)) {
    const home = homes.find(({ root }) => root.id === file.rootId);
    const source = sources.find(({ id }) => id === home?.root.source);
    if (!home || !source) continue;
    const bytes = await store.bytes(file);
    opened.push({ source, file: sessionFileOf(file), bytes, home: home.view });
  }
  return opened;
}

/** A path that one session tells holds for all with its hash, also for what is no session. */
async function nameEach<T extends { project: Project }>(
  store: SessionStore,
  scope: Scope,
  list: readonly T[],
): Promise<T[]> {
  const byHash = new Map<string, Project | undefined>();
  const named: T[] = [];
  for (const item of list) {
    const { hash, path } = item.project;
    if (path !== undefined || hash === undefined) {
      named.push(item);
      continue;
    }
    if (!byHash.has(hash)) {
      const query = { scope, filter: { project: hash }, sort: "newest", limit: 1 } as const;
      const [row] = (await store.sessions(query)).items;
      byHash.set(hash, row?.session.project);
    }
    const project = byHash.get(hash);
    named.push(project?.path === undefined ? item : { ...item, project });
  }
  return named;
}
