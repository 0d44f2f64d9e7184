import type { CallFilter, LedgerFilter, SessionFilter } from "./filter.ts";
import type { SessionSummary } from "../rows/summary.ts";
import type { ToolFact } from "../rows/tool-fact.ts";
import { matchesPath, absolutePath } from "../rows/touched-file.ts";

/** Whether a session matches a list filter; `calls` are the calls that the session owns. */
export function matchesSession(
  session: SessionSummary,
  filter: SessionFilter,
  calls: Iterable<ToolFact>,
): boolean {
  return (
    matchesName(session, filter.name) &&
    matchesProject(session, filter) &&
    matchesTime(session, filter) &&
    (filter.model === undefined || session.models.some((model) => has(model, filter.model))) &&
    (filter.status === undefined || session.status === filter.status) &&
    (filter.kind === undefined || session.kind === filter.kind) &&
    (filter.source === undefined || session.source === filter.source) &&
    matchesOwn(session, filter) &&
    matchesCalls(session, filter, calls)
  );
}

function matchesName({ id, title, own, project }: SessionSummary, name?: string): boolean {
  if (name === undefined || id.startsWith(name)) return true;
  return has(own?.title ?? title ?? "", name) || has(project.name, name);
}

const CALL_FIELDS = ["tool", "server", "command", "outcome", "path"] as const;

export function isAboutCalls(filter: CallFilter): boolean {
  return CALL_FIELDS.some((field) => filter[field] !== undefined);
}

function matchesCalls(
  { project }: SessionSummary,
  filter: SessionFilter,
  calls: Iterable<ToolFact>,
): boolean {
  if (!isAboutCalls(filter)) return true;
  for (const call of calls) if (matchesCall(call, filter, project.path)) return true;
  return false;
}

/**
 * Whether a call matches a filter; relative paths are resolved against the project's directory.
 */
export function matchesCall(
  call: Pick<ToolFact, "name" | "label" | "canonical" | "mcp" | "outcome" | "commands" | "files">,
  { tool, server, command, outcome, path }: CallFilter,
  directory: string | null,
): boolean {
  const names = [call.name, call.label, call.canonical].map(smallLetters);
  return (
    (tool === undefined || names.includes(smallLetters(tool))) &&
    (server === undefined || call.mcp?.server === server) &&
    (command === undefined || call.commands?.includes(command) === true) &&
    (outcome === undefined || call.outcome === outcome) &&
    (path === undefined ||
      call.files.some((file) => matchesPath(absolutePath(file.path, directory), path)))
  );
}

/** Lower-cases ASCII letters only, because all databases do that in the same way. */
function smallLetters(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/**
 * Whether a session's usage may match: checks the fields of the filter that are about sessions.
 */
export function matchesLedger(session: SessionSummary, filter: LedgerFilter): boolean {
  return (
    matchesProject(session, filter) &&
    (filter.status === undefined || session.status === filter.status) &&
    (filter.source === undefined || session.source === filter.source) &&
    matchesOwn(session, filter) &&
    (filter.session === undefined || isNamed(session, filter.session))
  );
}

/** Matches the user's tags and star. */
function matchesOwn({ own }: SessionSummary, { tag, star }: SessionFilter): boolean {
  return (
    (tag === undefined || own?.tags.includes(tag) === true) &&
    (star === undefined || own?.isStarred === true)
  );
}

/** A session's id also selects its subsessions. */
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

/** A recorded path has the separators of the machine that it was recorded on. */
function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`) || path.startsWith(`${folder}\\`);
}

/** Whether a session was last active at or after `sinceMs` and begun before `untilMs`. */
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

/** An item without a time is in no period. */
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
