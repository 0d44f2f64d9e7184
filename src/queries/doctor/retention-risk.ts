import { dirname } from "node:path";
import { groupBy } from "../../core/group.ts";
import type { Retention } from "../../core/retention.ts";
import type { SessionFileRef } from "../../core/session.ts";
import type { LocatedSession } from "../../core/session-rows.ts";
import { surplusOf } from "../../core/surplus.ts";

/** A session that its agent will delete by itself, and why. */
export interface AtRisk {
  sessionId: string;
  source: string;
  project: string;
  title: string | null;
  updatedAt: string | null;
  why: "age" | "count" | "resume-stub";
  /** Days until it reaches the age limit; negative if it already has. Only for `age`. */
  daysLeft: number | null;
  files: string[];
  /** Its current version is in the archive, so it will not be lost. */
  isKept: boolean;
}

export interface RiskContext {
  roots: readonly { path: string; retention: Retention }[];
  nowMs: number;
  /** Whether the current version of a file is in the archive. */
  isKept: (path: string) => boolean;
  /** Files of sessions beyond the session limit; computed if all sessions are given. */
  surplus?: ReadonlySet<string>;
}

const DAY_MS = 86_400_000;
/** Warn this many days before a session reaches the age limit. */
export const WARN_DAYS = 5;

/**
 * Which sessions can be at risk: those that began before `untilMs`, if age alone decides. A session
 * limit or a resume stub can affect new sessions, too, so then the answer is `all`.
 */
export function riskBefore(
  retentions: readonly Retention[],
  { nowMs, stubs }: { nowMs: number; stubs: number },
): { untilMs: number } | "all" | "none" {
  const enabled = retentions.filter(({ isEnabled }) => isEnabled);
  if (enabled.length === 0) return "none";
  const ages = enabled.map(({ maxAgeDays, maxSessions }) => {
    return maxSessions === undefined ? maxAgeDays : undefined;
  });
  const known = ages.filter((age) => age !== undefined);
  if (stubs > 0 || known.length < ages.length) return "all";
  return { untilMs: nowMs - (Math.min(...known) - WARN_DAYS - 1) * DAY_MS };
}

/** Sessions at risk. Subagents are deleted with the session that started them. */
export function findRisks(sessions: readonly LocatedSession[], context: RiskContext): AtRisk[] {
  const retentions = new Map(context.roots.map(({ path, retention }) => [path, retention]));
  const exposed = sessions.flatMap((session) => exposedOf(session, retentions) ?? []);
  const surplus = context.surplus ?? tooMany(exposed);
  return exposed
    .flatMap((session) => riskOf(session, { ...context, surplus }) ?? [])
    .toSorted(byUrgency);
}

/** Sessions deleted at the next start come first. */
export function byUrgency(a: AtRisk, b: AtRisk): number {
  return (a.daysLeft ?? -1e9) - (b.daysLeft ?? -1e9);
}

/** A session that the agent's clean-up may delete. */
interface Exposed {
  session: LocatedSession;
  files: readonly SessionFileRef[];
  retention: Retention;
}

function exposedOf(
  session: LocatedSession,
  retentions: ReadonlyMap<string, Retention>,
): Exposed | undefined {
  // A session with a copy outside the clean-up is safe; missing files cannot be deleted again.
  const there = session.files.filter(({ goneSinceMs }) => goneSinceMs === undefined);
  const files = there.filter(({ isCleaned }) => isCleaned);
  const isCopySafe = files.length < there.length;
  const retention = retentions.get(files[0]?.root ?? "");
  if (files.length === 0 || isCopySafe || retention?.isEnabled !== true) return undefined;
  return { session, files, retention };
}

/** Files of sessions beyond the session limit. All sessions of a root have the same settings. */
function tooMany(exposed: readonly Exposed[]): ReadonlySet<string> {
  const withContent = exposed.filter(({ files }) => files.some(({ part }) => part !== "stub"));
  const limits = groupBy(withContent, ({ retention }) => retention.maxSessions);
  const surplus = [...limits].flatMap(([most, group]) => {
    const dated = group.map(({ files }) => {
      return { files, folder: dirname(files[0]?.path ?? ""), lastMs: lastMs(files) ?? 0 };
    });
    return most === undefined ? [] : surplusOf(dated, most);
  });
  return new Set(surplus.flatMap(({ files }) => files.map(({ path }) => path)));
}

function riskOf(
  { session, files, retention }: Exposed,
  { nowMs, isKept, surplus }: RiskContext,
): AtRisk | undefined {
  const hasStub = files.some(({ part }) => part === "stub");
  const hasContent = files.some(({ part }) => part !== "stub");
  const base = {
    sessionId: session.id,
    source: session.source,
    project: session.project,
    title: session.title,
    updatedAt: session.updatedAt,
    files: files.map(({ path }) => path),
    isKept: files.every(({ path }) => isKept(path)),
  };
  if (!hasContent) return undefined;
  if (hasStub) return { ...base, why: "resume-stub", daysLeft: null };
  if (files.some(({ path }) => surplus?.has(path)))
    return { ...base, why: "count", daysLeft: null };
  const daysLeft = daysLeftOf(files, retention, nowMs);
  if (daysLeft === undefined || daysLeft > WARN_DAYS) return undefined;
  return { ...base, why: "age", daysLeft };
}

/** Age is measured from the last write: as recorded in the file, or by the file's time. */
function daysLeftOf(
  files: readonly SessionFileRef[],
  { maxAgeDays, isByFileTime }: Retention,
  nowMs: number,
): number | undefined {
  const changed = files.map(({ modifiedMs }) => modifiedMs);
  const last = isByFileTime === true ? Math.max(...changed) : lastMs(files);
  if (last === undefined || maxAgeDays === undefined) return undefined;
  return Math.floor(maxAgeDays - (nowMs - last) / DAY_MS);
}

function lastMs(files: readonly SessionFileRef[]): number | undefined {
  const written = files.flatMap(({ lastAt }) => (lastAt === undefined ? [] : [Date.parse(lastAt)]));
  return written.length === 0 ? undefined : Math.max(...written);
}
