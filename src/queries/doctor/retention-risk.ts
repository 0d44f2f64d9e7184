import { dirname } from "node:path";
import type { Expiry, Retention } from "../../core/files/expiry.ts";
import { expiryOf, expiryRules, lastMs, sessionsOverLimit } from "../../core/files/expiry.ts";
import { groupBy } from "../../core/group.ts";
import type { SessionLocation } from "../../core/rows/session-rows.ts";
import { DAY_MS } from "../../core/instant.ts";

/** A session that its agent will delete by itself, and why. */
export interface SessionAtRisk {
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

/** Warn this many days before a session reaches the age limit. */
export const WARN_DAYS = 5;

/** Sessions that expire before this time are at risk. */
export function warnBefore(nowMs: number): number {
  return nowMs + (WARN_DAYS + 1) * DAY_MS;
}

/** Sessions at risk. Subagents are deleted with the session that started them. */
export function findRisks(
  sessions: readonly SessionLocation[],
  context: RiskContext,
): SessionAtRisk[] {
  const retentions = new Map(context.roots.map(({ path, retention }) => [path, retention]));
  const rules = new Map(expiryRules(context.roots).map((rule) => [rule.root, rule]));
  const exposed = sessions.flatMap((session): Exposed[] => {
    const expiry = expiryOf(session, rules);
    return expiry ? [{ session, expiry }] : [];
  });
  const surplus = context.surplus ?? tooMany(exposed, retentions);
  return exposed
    .flatMap((each) => riskOf(each, { ...context, surplus }) ?? [])
    .toSorted((a, b) => (a.atMs === b.atMs ? 0 : a.atMs - b.atMs))
    .map(({ risk }) => risk);
}

/** A session that the agent's clean-up may delete. */
interface Exposed {
  session: SessionLocation;
  expiry: Expiry;
}

/** Files of sessions beyond the session limit. All sessions of a root have the same settings. */
function tooMany(
  exposed: readonly Exposed[],
  retentions: ReadonlyMap<string, Retention>,
): ReadonlySet<string> {
  const limits = groupBy(exposed, ({ expiry }) => retentions.get(expiry.rule.root)?.maxSessions);
  const surplus = [...limits].flatMap(([most, group]) => {
    const dated = group.map(({ expiry: { files } }) => {
      return { files, folder: dirname(files[0]?.path ?? ""), lastMs: lastMs(files) ?? 0 };
    });
    return most === undefined ? [] : sessionsOverLimit(dated, most);
  });
  return new Set(surplus.flatMap(({ files }) => files.map(({ path }) => path)));
}

/** The risk and the time from which the session may be deleted; -Infinity: at the next start. */
function riskOf(
  { session, expiry: { files, hasStub, atMs = Infinity } }: Exposed,
  { nowMs, isKept, surplus }: RiskContext,
): { risk: SessionAtRisk; atMs: number } | undefined {
  const base = {
    sessionId: session.id,
    source: session.source,
    project: session.project,
    title: session.title,
    updatedAt: session.updatedAt,
    files: files.map(({ path }) => path),
    isKept: files.every(({ path }) => isKept(path)),
  };
  const next = (why: "resume-stub" | "count"): { risk: SessionAtRisk; atMs: number } => {
    return { risk: { ...base, why, daysLeft: null }, atMs: -Infinity };
  };
  if (hasStub) return next("resume-stub");
  if (files.some(({ path }) => surplus?.has(path))) return next("count");
  if (atMs >= warnBefore(nowMs)) return undefined;
  return { risk: { ...base, why: "age", daysLeft: Math.floor((atMs - nowMs) / DAY_MS) }, atMs };
}
