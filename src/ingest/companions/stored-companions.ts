import type { Project } from "../../core/session/project.ts";
import type { PromptLog } from "../../core/session/prompt-log.ts";
import type { SavedChat } from "../../core/session/saved-chat.ts";
import type { FileRole } from "../../core/files/session-file.ts";
import type { Source } from "../../sources/source.ts";
import type { Scope } from "../../store/store.ts";
import { promptLogsIn, savedChatsIn } from "./companions.ts";
import type { SessionStore, StoredHome } from "../stored-home.ts";
import { comparePaths, openKept, storedHome } from "../stored-home.ts";

export interface CompanionQuery {
  sources: readonly Source[];
  scope: Scope;
}

/** Returns kept saved chats. Their diagnostics were reported when they were ingested. */
export async function savedChats(store: SessionStore, query: CompanionQuery): Promise<SavedChat[]> {
  const homes = inScope(await storedHomes(store, query.sources), query.scope);
  return nameEach(store, await savedChatsOf(store, homes));
}

/**
 * The same with homes that are already loaded: also adds the paths in chats to their project index.
 */
export async function savedChatsOf(
  store: SessionStore,
  homes: readonly StoredHome[],
): Promise<SavedChat[]> {
  return savedChatsIn(await openAll(store, "saved-chat", homes));
}

/** Returns logged prompts by session, also of forgotten sessions. */
export async function promptLogs(store: SessionStore, query: CompanionQuery): Promise<PromptLog[]> {
  const homes = inScope(await storedHomes(store, query.sources), query.scope);
  return nameEach(store, promptLogsIn(await openAll(store, "prompt-log", homes)));
}

/** Loads kept roots, except those that were only visited. */
export async function storedHomes(
  store: SessionStore,
  sources: readonly Source[],
): Promise<StoredHome[]> {
  const homes: StoredHome[] = [];
  for (const root of await store.roots()) {
    const source = sources.find(({ id }) => id === root.source);
    if (source && root.how !== "visited") homes.push(await storedHome(store, source, root));
  }
  return homes;
}

function inScope(homes: readonly StoredHome[], scope: Scope): StoredHome[] {
  return homes.filter(({ root }) => scope === "own" || scope.includes(root.id));
}

async function openAll(
  store: SessionStore,
  role: FileRole,
  homes: readonly StoredHome[],
): ReturnType<typeof openKept> {
  const files = await store.known({ roles: [role], replaced: "with" });
  return openKept(store, files.toSorted(comparePaths), homes);
}

/** Names projects by sessions with the same hash, if chat or log does not record a path. */
async function nameEach<T extends { project: Project }>(
  store: SessionStore,
  list: readonly T[],
): Promise<T[]> {
  const byHash = new Map<string, Project | undefined>();
  for (const { project } of list) {
    const { hash, path } = project;
    if (path !== undefined || hash === undefined || byHash.has(hash)) continue;
    const query = { scope: "own", filter: { project: hash }, limit: 1 } as const;
    const [row] = (await store.sessions(query)).items;
    byHash.set(hash, row?.session.project);
  }
  return list.map((item) => {
    const { hash = "", path } = item.project;
    const project = path === undefined ? byHash.get(hash) : undefined;
    return project?.path === undefined ? item : { ...item, project };
  });
}
