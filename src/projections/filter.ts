import type { SessionSummary } from "./summary.ts";

/** Which sessions are meant. All that is given must hold. */
export interface SessionFilter {
  /** Part of a project's name or path, or its hash. */
  project?: string;
  /** Last active at or after this instant, and before that one (epoch milliseconds). */
  sinceMs?: number;
  untilMs?: number;
  /** Part of a model's name. */
  model?: string;
  status?: string;
  kind?: string;
}

export function matches(session: SessionSummary, filter: SessionFilter): boolean {
  return (
    matchesProject(session, filter.project) &&
    matchesTime(session, filter) &&
    (filter.model === undefined || session.models.some((model) => has(model, filter.model))) &&
    (filter.status === undefined || session.status === filter.status) &&
    (filter.kind === undefined || session.kind === filter.kind)
  );
}

function matchesProject({ project }: SessionSummary, wish: string | undefined): boolean {
  if (wish === undefined) return true;
  return has(project.name, wish) || has(project.path ?? "", wish) || project.hash === wish;
}

function matchesTime(session: SessionSummary, { sinceMs, untilMs }: SessionFilter): boolean {
  if (sinceMs === undefined && untilMs === undefined) return true;
  const last = Date.parse(session.updatedAt ?? session.startedAt ?? "");
  const first = Date.parse(session.startedAt ?? session.updatedAt ?? "");
  if (Number.isNaN(last)) return false;
  return (sinceMs === undefined || last >= sinceMs) && (untilMs === undefined || first < untilMs);
}

function has(text: string, part: string | undefined): boolean {
  return part === undefined || text.toLowerCase().includes(part.toLowerCase());
}

/** Newest first; sessions without a time last. */
export function byNewest(a: SessionSummary, b: SessionSummary): number {
  const order = timeOf(b) - timeOf(a);
  if (order !== 0) return order;
  return a.id < b.id ? -1 : 1;
}

function timeOf(session: SessionSummary): number {
  const time = Date.parse(session.updatedAt ?? session.startedAt ?? "");
  return Number.isNaN(time) ? 0 : time;
}
