import type { LedgerFilter, SessionFilter } from "./filter.ts";
import type { SessionSummary } from "./summary.ts";

/** Whether a session is meant by a filter of a list. */
export function matchesSession(session: SessionSummary, filter: SessionFilter): boolean {
  return (
    matchesProject(session, filter) &&
    matchesTime(session, filter) &&
    (filter.model === undefined || session.models.some((model) => has(model, filter.model))) &&
    (filter.status === undefined || session.status === filter.status) &&
    (filter.kind === undefined || session.kind === filter.kind) &&
    (filter.source === undefined || session.source === filter.source) &&
    matchesOwn(session, filter)
  );
}

/** Whether what a session paid for may be meant: all that a filter says about sessions. */
export function matchesLedger(session: SessionSummary, filter: LedgerFilter): boolean {
  return (
    matchesProject(session, filter) &&
    (filter.status === undefined || session.status === filter.status) &&
    (filter.source === undefined || session.source === filter.source) &&
    matchesOwn(session, filter) &&
    (filter.session === undefined || isNamed(session, filter.session))
  );
}

/** What a person put on it. */
function matchesOwn({ own }: SessionSummary, { tag, star }: SessionFilter): boolean {
  return (
    (tag === undefined || own?.tags.includes(tag) === true) &&
    (star === undefined || own?.isStarred === true)
  );
}

/** A session is meant with the subsessions that it began. */
function isNamed({ id, parentId }: SessionSummary, start: string): boolean {
  return id.startsWith(start) || parentId?.startsWith(start) === true;
}

type Timed = Pick<SessionSummary, "startedAt" | "updatedAt">;

export function matchesProject(
  { project }: Pick<SessionSummary, "project">,
  { project: part, folder }: Pick<SessionFilter, "project" | "folder">,
): boolean {
  const { name, path, hash } = project;
  const isMeant = part === undefined || has(name, part) || has(path ?? "", part) || hash === part;
  return isMeant && (folder === undefined || isInside(path ?? "", folder));
}

/** A recorded path has the separators of its machine. */
function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`) || path.startsWith(`${folder}\\`);
}

/** Last active since an instant, and begun before another. */
export function matchesTime(session: Timed, { sinceMs, untilMs }: SessionFilter): boolean {
  if (sinceMs === undefined && untilMs === undefined) return true;
  const last = Date.parse(session.updatedAt ?? session.startedAt ?? "");
  const first = Date.parse(session.startedAt ?? session.updatedAt ?? "");
  return (
    (sinceMs === undefined || last >= sinceMs) &&
    (untilMs === undefined || first < untilMs) &&
    !Number.isNaN(last)
  );
}

export function matchesModel(model: string | undefined, part: string | undefined): boolean {
  return has(model ?? "unknown", part);
}

/** What has no time lies within no period. */
export function isWithin(
  ms: number | undefined,
  { sinceMs, untilMs }: Pick<LedgerFilter, "sinceMs" | "untilMs">,
): boolean {
  if (sinceMs === undefined && untilMs === undefined) return true;
  if (ms === undefined) return false;
  return (sinceMs === undefined || ms >= sinceMs) && (untilMs === undefined || ms < untilMs);
}

function has(text: string, part: string | undefined): boolean {
  return part === undefined || text.toLowerCase().includes(part.toLowerCase());
}
