import type { Digest } from "../model/digest.ts";
import type { SessionFileRef } from "../model/session.ts";

/** How long the program keeps its own sessions under one root. */
export interface Retention {
  isEnabled: boolean;
  maxAgeDays?: number;
  from: string;
}

/** A session that its program will delete by itself, and why. */
export interface AtRisk {
  sessionId: string;
  project: string;
  title: string | null;
  updatedAt: string | null;
  why: "age" | "resume-stub";
  /** Days until it is old enough; negative when it already is. Only for `age`. */
  daysLeft: number | null;
  files: string[];
  /** It is in the archive as it is now: it will not be lost. */
  isKept: boolean;
}

export interface RiskTold {
  roots: readonly { path: string; retention: Retention }[];
  nowMs: number;
  /** Whether a file is in the archive as it is now. */
  isKept: (path: string) => boolean;
}

const DAY_MS = 86_400_000;
/** Sessions that will be old enough within this many days are named as well. */
export const WARN_DAYS = 5;

export function findRisks(digests: readonly Digest[], told: RiskTold): AtRisk[] {
  const retentions = new Map(told.roots.map(({ path, retention }) => [path, retention]));
  return digests
    .filter(({ summary }) => summary.kind === "main")
    .flatMap((digest) => riskOf(digest, retentions, told) ?? [])
    .toSorted((a, b) => (a.daysLeft ?? -1e9) - (b.daysLeft ?? -1e9));
}

function riskOf(
  { session, summary }: Digest,
  retentions: ReadonlyMap<string, Retention>,
  { nowMs, isKept }: RiskTold,
): AtRisk | undefined {
  // A copy that the clean-up never reaches is safe; what is gone can no longer be deleted.
  const there = session.files.filter(({ goneSinceMs }) => goneSinceMs === undefined);
  const exposed = there.filter(({ isCleaned }) => isCleaned);
  const isCopySafe = exposed.length < there.length;
  const retention = retentions.get(exposed[0]?.root ?? "");
  if (exposed.length === 0 || isCopySafe || retention?.isEnabled !== true) return undefined;
  const hasStub = exposed.some(({ part }) => part === "stub");
  const isTold = exposed.some(({ part }) => part !== "stub");
  const base = {
    sessionId: session.id,
    project: session.project.name,
    title: summary.title,
    updatedAt: summary.updatedAt,
    files: exposed.map(({ path }) => path),
    isKept: exposed.every(({ path }) => isKept(path)),
  };
  if (hasStub && isTold) return { ...base, why: "resume-stub", daysLeft: null };
  const daysLeft = daysLeftOf(exposed, retention.maxAgeDays, nowMs);
  if (daysLeft === undefined || daysLeft > WARN_DAYS || !isTold) return undefined;
  return { ...base, why: "age", daysLeft };
}

/** Age is measured on the time of the last write that the file itself records. */
function daysLeftOf(
  files: readonly SessionFileRef[],
  maxAgeDays: number | undefined,
  nowMs: number,
): number | undefined {
  const written = files.flatMap(({ lastAt }) => (lastAt === undefined ? [] : [Date.parse(lastAt)]));
  if (written.length === 0 || maxAgeDays === undefined) return undefined;
  return Math.floor(maxAgeDays - (nowMs - Math.max(...written)) / DAY_MS);
}
