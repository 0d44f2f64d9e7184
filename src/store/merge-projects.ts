import { compareTexts } from "../core/lists.ts";
import type { StoredCoverage } from "../core/files/coverage.ts";
import { groupBy } from "../core/group.ts";
import { PROJECT_EVIDENCE } from "../core/session/project.ts";
import type { ProjectAnswer } from "../core/rows/summary.ts";

type Counted = StoredCoverage["projects"][number];

/**
 * Merges entries of the same project, keeping the one with the strongest evidence. Most sessions
 * first.
 */
export function mergeProjects(counted: readonly Counted[]): Counted[] {
  const groups = groupBy(counted, ({ project }) => keyOf(project));
  return [...groups.values()]
    .flatMap((same) => {
      const [first] = same.map(({ project }) => project).toSorted(byEvidence);
      const sessions = same.reduce((sum, known) => sum + known.sessions, 0);
      return first ? [{ project: first, sessions }] : [];
    })
    .toSorted(
      (a, b) => b.sessions - a.sessions || compareTexts(keyOf(a.project), keyOf(b.project)),
    );
}

function keyOf({ name, path, hash }: ProjectAnswer): string {
  return path ?? hash ?? name;
}

/** Strongest evidence first, so that the result does not depend on the order of ingest. */
function byEvidence(a: ProjectAnswer, b: ProjectAnswer): number {
  const rank = PROJECT_EVIDENCE.indexOf(a.knownBy) - PROJECT_EVIDENCE.indexOf(b.knownBy);
  return rank || compareTexts(a.name, b.name) || compareTexts(a.hash ?? "", b.hash ?? "");
}
