import type { SessionLocation } from "../rows/session-rows.ts";
import type { SessionFileRef } from "../session/session.ts";
import { groupBy } from "../group.ts";
import { DAY_MS } from "../instant.ts";

/** How long an agent keeps its own sessions under one root. */
export interface Retention {
  isEnabled: boolean;
  maxAgeDays?: number;
  /** Sessions kept per project; older ones are deleted regardless of age. */
  maxSessions?: number;
  /** Only subagents' files are deleted; sessions are kept. */
  isSubagentsOnly?: boolean;
  /** The clean-up uses the file's modification time, not the times in its records. */
  isByFileTime?: boolean;
  /** Origin of this setting: a settings file, or the default of current versions. */
  from: string;
}

/** What an agent deletes by itself below a root. */
export interface ExpiryRule {
  root: string;
  /** Kind of the sessions that are deleted; subagents of a main session go with it. */
  kind: "main" | "subagent";
  /** Absent: age alone deletes nothing. */
  maxAgeMs?: number;
  /** Age is measured by the file's time, not by what is recorded in it. */
  isByFileTime: boolean;
}

/** A session of which the agent will delete all files. */
export interface Expiry {
  files: readonly SessionFileRef[];
  rule: ExpiryRule;
  /** A resume left a stub beside it: it is deleted at the next start. */
  hasStub: boolean;
  /** When it reaches the age limit, if known. */
  atMs?: number;
}

/** Number of sessions about to be deleted, and how many of them are not kept. */
export interface ExpiringCount {
  source: string;
  sessions: number;
  notKept: number;
}

export function expiryRules(
  roots: readonly { path: string; retention: Retention }[],
): ExpiryRule[] {
  return roots.flatMap(({ path, retention }): ExpiryRule[] => {
    const { isEnabled, maxAgeDays, isSubagentsOnly, isByFileTime = false } = retention;
    if (!isEnabled) return [];
    const kind = isSubagentsOnly === true ? "subagent" : "main";
    const age = maxAgeDays === undefined ? {} : { maxAgeMs: Math.round(maxAgeDays * DAY_MS) };
    return [{ root: path, kind, isByFileTime, ...age }];
  });
}

/** Undefined for a session that the clean-up does not reach, or that is a stub only. */
export function expiryOf(
  { kind, files: all }: Pick<SessionLocation, "kind" | "files">,
  rules: ReadonlyMap<string, ExpiryRule>,
): Expiry | undefined {
  // A session with a copy outside the clean-up is safe; missing files cannot be deleted again.
  const there = all.filter(({ goneSinceMs }) => goneSinceMs === undefined);
  const files = there.filter(({ isCleaned }) => isCleaned);
  const rule = rules.get(files[0]?.root ?? "");
  if (rule?.kind !== kind || files.length < there.length) return undefined;
  if (files.every(({ part }) => part === "stub")) return undefined;
  const hasStub = files.some(({ part }) => part === "stub");
  const last = rule.isByFileTime
    ? Math.max(...files.map(({ modifiedMs }) => modifiedMs))
    : lastMs(files);
  const { maxAgeMs } = rule;
  const isAged = last !== undefined && maxAgeMs !== undefined;
  return { files, rule, hasStub, ...(isAged ? { atMs: last + maxAgeMs } : {}) };
}

/** The last write as recorded in the files; invalid times are ignored. */
export function lastMs(files: readonly SessionFileRef[]): number | undefined {
  const times = files.map(({ lastAt }) => Date.parse(lastAt ?? ""));
  const written = times.filter((ms) => !Number.isNaN(ms));
  return written.length === 0 ? undefined : Math.max(...written);
}

/**
 * Returns the sessions that an agent deletes when it keeps at most `mostSessions` per folder: all
 * but the newest. The next session to be started counts as one of those kept.
 */
export function sessionsOverLimit<T extends { folder: string; lastMs: number }>(
  sessions: readonly T[],
  mostSessions: number,
): T[] {
  const folders = groupBy(sessions, ({ folder }) => folder);
  return [...folders.values()].flatMap((all) => {
    const newestFirst = all.toSorted((a, b) => b.lastMs - a.lastMs);
    return newestFirst.slice(Math.max(0, mostSessions - 1));
  });
}
