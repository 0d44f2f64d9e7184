import type { Archive } from "../store/archive.ts";
import type { Digest } from "../core/digest.ts";
import type { KeptFile } from "../core/kept.ts";
import type { PromptLog } from "../core/prompt-log.ts";
import type { ArchivedHome } from "./archived-home.ts";

/** What would be removed from the archive for good. */
export interface ForgetPlan {
  sessions: { id: string; title: string | null; project: string; updatedAt: string | null }[];
  files: { path: string; role: string; sizeBytes: number; isOnDisk: boolean }[];
  /** What was typed in these sessions stands in logs that others share: those stay. */
  sharedLogs: { path: string; prompts: number }[];
  sizeBytes: number;
}

interface Around {
  homes: readonly ArchivedHome[];
  /** Of all sessions, also of those that were forgotten before. */
  promptLogs: readonly PromptLog[];
}

/** A session goes with the sessions of its agents and with the outputs that its tools spilled. */
export function withSubsessions(ids: readonly string[], digests: readonly Digest[]): Set<string> {
  const all = new Set(ids);
  for (const { summary } of digests) {
    if (summary.parentId !== null && all.has(summary.parentId)) all.add(summary.id);
  }
  return all;
}

/**
 * Kept files that hold something of the sessions and of nothing else; and the numbers of contents
 * that newer ones replaced without a loss.
 */
export function filesToForget(
  archive: Archive,
  ids: ReadonlySet<string>,
  around: Around,
): { files: KeptFile[]; outdated: number[]; sharedLogs: ForgetPlan["sharedLogs"] } {
  const forgotten = archive.files.forgotten();
  const logs = logsOf(ids, around.promptLogs, (id) => forgotten.has("session", id));
  const outdated: number[] = [];
  const files = around.homes.flatMap((home) => {
    const own = new Set([...ids].flatMap((id) => archive.rows.everyFileOf(id, home.kept.id)));
    const told = home.files
      .flatMap(({ path }) => home.fileAt(path) ?? [])
      .filter((file) => {
        if (own.has(file.id) || logs.own.has(file.path)) return true;
        return file.role === "spill" && [...ids].some((id) => file.path.includes(id));
      });
    for (const { id } of told) own.delete(id);
    outdated.push(...own);
    return told;
  });
  return { files, outdated, sharedLogs: logs.shared };
}

/** Logs of prompts: those of these sessions alone, and those that others have prompts in, too. */
function logsOf(
  ids: ReadonlySet<string>,
  logs: readonly PromptLog[],
  isForgotten: (id: string) => boolean,
): { own: Set<string>; shared: ForgetPlan["sharedLogs"] } {
  const counts = new Map<string, { meant: number; other: number }>();
  for (const { sessionId, prompts } of logs) {
    if (!ids.has(sessionId) && isForgotten(sessionId)) continue;
    for (const { place } of prompts) {
      const count = counts.get(place.file) ?? { meant: 0, other: 0 };
      count[ids.has(sessionId) ? "meant" : "other"] += 1;
      counts.set(place.file, count);
    }
  }
  const touched = [...counts].filter(([, { meant }]) => meant > 0);
  return {
    own: new Set(touched.filter(([, { other }]) => other === 0).map(([path]) => path)),
    shared: touched
      .filter(([, { other }]) => other > 0)
      .map(([path, { meant }]) => ({ path, prompts: meant })),
  };
}

export function planOf(
  ids: ReadonlySet<string>,
  told: { files: readonly KeptFile[]; sharedLogs: ForgetPlan["sharedLogs"] },
  digests: readonly Digest[],
): ForgetPlan {
  const meant = digests.filter(({ summary }) => ids.has(summary.id));
  return {
    sessions: meant.map(({ summary: { id, title, project, updatedAt } }) => {
      return { id, title, project: project.name, updatedAt };
    }),
    files: told.files.map(({ path, role, sizeBytes, goneSinceMs }) => {
      return { path, role, sizeBytes, isOnDisk: goneSinceMs === undefined };
    }),
    sharedLogs: told.sharedLogs,
    sizeBytes: told.files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
  };
}
