import type { Diagnostic } from "../../core/diagnostic.ts";
import { groupBy } from "../../core/group.ts";
import type { LinkedSession } from "../../core/links.ts";
import type { CoveredFiles, StoredCoverage } from "../store.ts";
import type { PlainReading } from "./memory-store.ts";

export function coverageOf(
  sessions: readonly LinkedSession[],
  readings: readonly PlainReading[],
  diagnostics: readonly Diagnostic[],
): StoredCoverage {
  const parts = sessions.flatMap(({ session }) => session.files.map(({ part }) => part));
  return {
    files: filesOf(readings),
    sessions: countBy(sessions, ({ summary }) => {
      return { source: summary.source, kind: summary.kind };
    }),
    parts: {
      copies: parts.filter((part) => part === "copy").length,
      stubs: parts.filter((part) => part === "stub").length,
    },
    goneSessions: sessions.filter(({ summary }) => summary.goneSince !== null).length,
    projects: projectsOf(sessions),
    diagnostics: [...diagnostics, ...readings.flatMap((reading) => reading.diagnostics)],
  };
}

function filesOf(readings: readonly PlainReading[]): CoveredFiles[] {
  const newest = readings.filter(({ content }) => content === undefined);
  return countBy(newest, ({ rootId, file, format, generation, isRead, goneSinceMs }) => {
    const isGone = goneSinceMs !== undefined;
    return { rootId, role: file.role, format, generation, isRead, isGone };
  });
}

function projectsOf(sessions: readonly LinkedSession[]): StoredCoverage["projects"] {
  const projects = sessions.map(({ summary }) => summary.project);
  const groups = groupBy(projects, ({ path, hash, name }) => path ?? hash ?? name);
  return [...groups.values()]
    .flatMap((same) => {
      const [project] = same.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
      return project ? [{ project, sessions: same.length }] : [];
    })
    .toSorted((a, b) => b.sessions - a.sessions || (a.project.name < b.project.name ? -1 : 1));
}

function countBy<T, Sort extends object>(
  items: readonly T[],
  sortOf: (item: T) => Sort,
): (Sort & { count: number })[] {
  const groups = groupBy(items, (item) => JSON.stringify(sortOf(item)));
  return [...groups.values()].flatMap((same) => {
    const [first] = same;
    return first === undefined ? [] : [{ ...sortOf(first), count: same.length }];
  });
}
