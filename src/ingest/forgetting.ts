import type { KnownFile } from "../core/files/kept.ts";
import type { PromptLog } from "../core/session/prompt-log.ts";
import type { SessionRow } from "../core/rows/session-rows.ts";
import type { Source } from "../sources/source.ts";
import type { ForgetSelection, SessionRef, Store } from "../store/store.ts";
import { rebuild } from "./rebuild.ts";
import { promptLogs } from "./companions/stored-companions.ts";
import { withSubsessions } from "./subsessions.ts";
import { totalBytes } from "../core/files/session-file.ts";

/** What forgetting removes from the store for good. */
export interface ForgetPlan {
  sessions: {
    source: string;
    id: string;
    title: string | null;
    project: string;
    updatedAt: string | null;
  }[];
  files: { path: string; role: string; sizeBytes: number; isOnDisk: boolean }[];
  /** Prompt logs that hold prompts of these sessions and of others: they stay. */
  sharedLogs: { path: string; prompts: number }[];
  sizeBytes: number;
}

/** Plans the removal; changes nothing. */
export async function planForget(
  store: Store,
  sources: readonly Source[],
  refs: readonly SessionRef[],
): Promise<ForgetPlan> {
  return (
    await prepareForgetting(store, sources, await withSubsessions({ store, scope: "own" }, refs))
  ).plan;
}

/**
 * Removes bytes, rows and texts of sessions, and marks them so that they are not ingested again.
 */
export async function forgetSessions(
  store: Store,
  sources: readonly Source[],
  { refs, nowMs }: { refs: readonly SessionRef[]; nowMs: number },
): Promise<ForgetPlan> {
  const rows = await withSubsessions({ store, scope: "own" }, refs);
  const { plan, selection } = await prepareForgetting(store, sources, rows);
  await store.forget({ ...selection, nowMs });
  // Older contents at the same paths may now be the ones to read.
  await rebuild(store, { sources, clock: () => nowMs, only: "unread" });
  return plan;
}

/** Removes forgotten sessions that came back, as with an imported store. Returns how many. */
export async function removeReturnedSessions(
  store: Store,
  sources: readonly Source[],
  nowMs: number,
): Promise<number> {
  const forgotten = await store.forgotten();
  const ids = forgotten.sessions;
  if (ids.length === 0) return 0;
  const { items } = await store.sessions({ scope: "own", ids });
  const back = items.filter(({ summary }) => forgotten.hasSession(summary));
  if (back.length === 0) return 0;
  const { selection } = await prepareForgetting(store, sources, back);
  await store.forget({ ...selection, nowMs });
  return back.length;
}

/** Collects the files of sessions, including spilled tool outputs and prompt logs. */
export async function prepareForgetting(
  store: Store,
  sources: readonly Source[],
  rows: readonly SessionRow[],
): Promise<{ plan: ForgetPlan; selection: Omit<ForgetSelection, "nowMs"> }> {
  const sessions = rows.map(({ summary }) => ({ source: summary.source, id: summary.id }));
  const logs = await logsOf(store, sessions, sources);
  const files = await filesOf(store, sessions, logs.own);
  const plan: ForgetPlan = {
    sessions: rows.map(({ summary: { source, id, title, project, updatedAt } }) => {
      return { source, id, title, project: project.name, updatedAt };
    }),
    files: files.ownFiles.map(({ path, role, sizeBytes, goneSinceMs }) => {
      return { path, role, sizeBytes, isOnDisk: goneSinceMs === undefined };
    }),
    sharedLogs: logs.shared,
    sizeBytes: totalBytes(files.ownFiles),
  };
  const ids = [...new Set([...files.ownFiles.map(({ id }) => id), ...files.outdated])];
  const paths = files.ownFiles.flatMap(({ path, replaced }) => (replaced ? [] : path));
  return { plan, selection: { files: ids, sessions, paths } };
}

/**
 * Finds kept files that belong to these sessions alone, and the ids of older contents of those
 * files that no other session uses.
 */
async function filesOf(
  store: Store,
  sessions: readonly SessionRef[],
  logs: ReadonlySet<string>,
): Promise<{ ownFiles: KnownFile[]; outdated: number[] }> {
  const ownFiles: KnownFile[] = [];
  const outdated: number[] = [];
  const bySource = new Map<string, Set<string>>();
  for (const { source, id } of sessions) {
    bySource.set(source, (bySource.get(source) ?? new Set()).add(id));
  }
  for (const [source, ids] of bySource) {
    const known = await store.known({ source, replaced: "with" });
    const own = known.filter((file) => isOf(file, ids, logs));
    ownFiles.push(...own);
    const others = new Set(known.filter((file) => !own.includes(file)).map(({ id }) => id));
    for (const { id } of own.filter((file) => !file.replaced)) {
      const contents = (await store.versions(id)).map(({ content }) => -content);
      const current = own.find((file) => file.id === id)?.content ?? 0;
      outdated.push(...contents.filter((content) => content !== -current && !others.has(content)));
    }
  }
  return { ownFiles, outdated };
}

function isOf(file: KnownFile, ids: ReadonlySet<string>, logs: ReadonlySet<string>): boolean {
  if (file.sessionIds.length > 0) return file.sessionIds.every((id) => ids.has(id));
  if (logs.has(file.path)) return true;
  const isSpill = file.role === "spill" || file.role === "companion";
  return isSpill && [...ids].some((id) => file.path.includes(id));
}

/**
 * Finds the prompt logs of these sessions: those that are theirs alone, and those shared with
 * others.
 */
async function logsOf(
  store: Store,
  sessions: readonly SessionRef[],
  sources: readonly Source[],
): Promise<{ own: Set<string>; shared: ForgetPlan["sharedLogs"] }> {
  const forgotten = await store.forgotten();
  const isMeant = ({ source, sessionId }: PromptLog): boolean => {
    return sessions.some((ref) => ref.source === source && ref.id === sessionId);
  };
  const counts = new Map<string, { meant: number; other: number }>();
  for (const log of await promptLogs(store, { sources, scope: "own" })) {
    if (!isMeant(log) && forgotten.hasSession({ source: log.source, id: log.sessionId })) continue;
    for (const { place } of log.prompts) {
      const count = counts.get(place.file) ?? { meant: 0, other: 0 };
      count[isMeant(log) ? "meant" : "other"] += 1;
      counts.set(place.file, count);
    }
  }
  const touched = [...counts].filter(([, { meant }]) => meant > 0);
  const shared = touched.filter(([, { other }]) => other > 0);
  return {
    own: new Set(touched.filter(([, { other }]) => other === 0).map(([path]) => path)),
    shared: shared.map(([path, { meant }]) => ({ path, prompts: meant })),
  };
}
