import type { SessionSummary } from "../core/summary.ts";

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
  /** One of KINDS. */
  kind?: string;
  /** At most so many of each list, the newest. */
  limit?: number;
}

/** What a list may be asked for: sessions of both kinds, and what else tells of conversations. */
export const KINDS = ["main", "subagent", "saved-chat", "prompt-log"] as const;

export function matches(session: SessionSummary, filter: SessionFilter): boolean {
  return (
    matchesProject(session, filter.project) &&
    matchesTime(session, filter) &&
    (filter.model === undefined || session.models.some((model) => has(model, filter.model))) &&
    (filter.status === undefined || session.status === filter.status) &&
    (filter.kind === undefined || session.kind === filter.kind)
  );
}

/** What is left of a conversation beside sessions: it has no model and no status to ask for. */
export interface Leftover extends Pick<SessionSummary, "project" | "startedAt" | "updatedAt"> {
  kind: "saved-chat" | "prompt-log";
}

export function matchesLeftover(leftover: Leftover, filter: SessionFilter): boolean {
  return (
    matchesProject(leftover, filter.project) &&
    matchesTime(leftover, filter) &&
    filter.model === undefined &&
    filter.status === undefined &&
    (filter.kind === undefined || leftover.kind === filter.kind)
  );
}

type Timed = Pick<SessionSummary, "startedAt" | "updatedAt">;

function matchesProject(
  { project }: Pick<SessionSummary, "project">,
  wish: string | undefined,
): boolean {
  if (wish === undefined) return true;
  return has(project.name, wish) || has(project.path ?? "", wish) || project.hash === wish;
}

function matchesTime(session: Timed, { sinceMs, untilMs }: SessionFilter): boolean {
  if (sinceMs === undefined && untilMs === undefined) return true;
  const last = Date.parse(session.updatedAt ?? session.startedAt ?? "");
  const first = Date.parse(session.startedAt ?? session.updatedAt ?? "");
  if (Number.isNaN(last)) return false;
  return (sinceMs === undefined || last >= sinceMs) && (untilMs === undefined || first < untilMs);
}

/** Last active before an instant; without a time, never. */
export function isBefore(
  session: Pick<SessionSummary, "updatedAt" | "startedAt">,
  ms: number,
): boolean {
  return Date.parse(session.updatedAt ?? session.startedAt ?? "") < ms;
}

function has(text: string, part: string | undefined): boolean {
  return part === undefined || text.toLowerCase().includes(part.toLowerCase());
}

/** Newest first; sessions without a time last. */
export function newestFirst(sessions: readonly SessionSummary[]): SessionSummary[] {
  // Of thousands, each time is read once.
  const timed = sessions.map((session) => ({ session, ms: timeOf(session) }));
  timed.sort((a, b) => b.ms - a.ms || (a.session.id < b.session.id ? -1 : 1));
  return timed.map(({ session }) => session);
}

export function byLastTime(a: Timed, b: Timed): number {
  return timeOf(b) - timeOf(a);
}

function timeOf(session: Timed): number {
  const time = Date.parse(session.updatedAt ?? session.startedAt ?? "");
  return Number.isNaN(time) ? 0 : time;
}
