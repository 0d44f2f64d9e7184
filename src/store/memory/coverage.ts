import type { FileCount, StoredCoverage } from "../../core/files/coverage.ts";
import type { Diagnostic } from "../../core/files/diagnostic.ts";
import { groupBy } from "../../core/group.ts";
import type { SessionRow } from "../../core/rows/session-rows.ts";
import { mergeProjects } from "../merge-projects.ts";
import type { CoverageQuery } from "../store.ts";
import type { KeptFiles, StoredReading } from "./kept.ts";

interface Covered {
  kept: KeptFiles;
  sessions: readonly SessionRow[];
  diagnostics: ReadonlyMap<number, readonly Diagnostic[]>;
}

export function coverageOf(covered: Covered, { scope, source }: CoverageQuery): StoredCoverage {
  const { kept } = covered;
  const roots = kept.roots
    .filter(({ id, how }) => (scope === "own" ? how !== "visited" : scope.includes(id)))
    .filter((root) => source === undefined || root.source === source);
  const sessions = covered.sessions.filter(
    ({ summary }) => source === undefined || summary.source === source,
  );
  const readings = [...kept.readings.values()]
    .filter(({ rootId }) => roots.some(({ id }) => id === rootId))
    .toSorted((a, b) => a.fileId - b.fileId);
  return {
    files: countFiles(readings.flatMap((reading) => fileOf(kept, reading) ?? [])),
    parts: countBy(
      sessions.flatMap(({ session }) => session.files),
      ({ part }) => part,
    ).map(([part, files]) => ({ part, files })),
    sessions: countBy(sessions, ({ summary }) =>
      JSON.stringify([summary.source, summary.kind]),
    ).map(([key, count]) => {
      const [from, kind] = JSON.parse(key) as [string, "main" | "subagent"];
      return { source: from, kind, sessions: count };
    }),
    goneSessions: sessions.filter(({ summary }) => summary.goneSince !== null).length,
    projects: projectsOf(sessions),
    diagnostics: [
      ...roots.flatMap(({ id }) => covered.diagnostics.get(id) ?? []),
      ...readings.flatMap((reading) => reading.diagnostics),
    ],
  };
}

function fileOf(kept: KeptFiles, reading: StoredReading): FileCount | undefined {
  const file = kept.files.get(reading.fileId);
  const root = kept.roots.find(({ id }) => id === reading.rootId);
  if (!file || !root) return undefined;
  const { format, generation, isRead } = reading;
  const isGone = file.goneSinceMs !== undefined;
  const read = { format, generation, isRead, isGone, files: 1 };
  return { source: root.source, root: root.path, role: file.role, ...read };
}

function countFiles(files: readonly FileCount[]): FileCount[] {
  const same = groupBy(files, ({ source, root, role, format, generation, isRead, isGone }) => {
    return [source, root, role, format, generation, isRead, isGone].join("\n");
  });
  return [...same.values()].flatMap((group) =>
    group.slice(0, 1).map((file) => {
      return { ...file, files: group.length };
    }),
  );
}

function projectsOf(sessions: readonly SessionRow[]): StoredCoverage["projects"] {
  return mergeProjects(sessions.map(({ summary }) => ({ project: summary.project, sessions: 1 })));
}

function countBy<T>(
  items: readonly T[],
  nameOf: (item: T) => string,
): [key: string, count: number][] {
  return [...groupBy(items, nameOf)].map(([key, same]) => [key, same.length]);
}
