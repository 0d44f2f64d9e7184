import { dirname } from "node:path";
import type { ExpiringCount, Retention } from "../core/files/expiry.ts";
import { expiryRules } from "../core/files/expiry.ts";
import type { SessionFilter } from "../core/filter/filter.ts";
import { filesAtRisk } from "../ingest/retention-risk.ts";
import { safetyFromReports, safetyAtLastLook, compareWithDisk } from "../ingest/safety.ts";
import type { Deletion } from "../queries/doctor/deletion.ts";
import { countRisks, deletionSummary } from "../queries/doctor/deletion.ts";
import type { ArchiveHealth, DoctorAnswer, Examined, Sending } from "../queries/doctor/doctor.ts";
import { examine } from "../queries/doctor/doctor.ts";
import type { SessionAtRisk } from "../queries/doctor/retention-risk.ts";
import { findRisks, riskBefore, warnBefore, WARN_DAYS } from "../queries/doctor/retention-risk.ts";
import { SyncFiles } from "../sync/settings.ts";
import type { SourceRoot } from "./places.ts";
import { chatsOf, unmatchedLogs } from "./sessions.ts";
import type { StoreAccess } from "./store-access.ts";

export interface DoctorOptions extends Pick<SessionFilter, "source"> {
  /** `verified`: compares every kept byte with its digest, unless there are very many. */
  bytes?: "verified" | "trusted";
  /** Maximum number of sessions at risk in the answer; they are all counted. */
  mostAtRisk?: number;
}

/** Which files were read, how they were recognised, and what may soon be lost. */
export async function doctorAnswer(
  access: StoreAccess,
  nowMs: number,
  { source, bytes = "trusted", mostAtRisk }: DoctorOptions,
): Promise<DoctorAnswer> {
  const view = await access.reads("outline");
  const { store, scope } = view;
  const filter = source === undefined ? {} : { source };
  const health = await healthOf(access);
  const { archive, isKept } = health;
  const isAllKept = archive === null || archive.unkeptFiles === 0;
  // All sessions at risk are needed, to know which of the files not kept belong to them.
  const most = isAllKept ? mostAtRisk : undefined;
  const coverage = await store.coverage({ scope, ...filter });
  // A store that was opened for somebody is not about this machine.
  const isOpened = typeof access.setup.options.store === "object";
  const places = access.setup.places.filter(
    (each) => !isOpened && (source === undefined || each.source.id === source),
  );
  const answer = examine({
    sending: sendingOf(access),
    roots: places.map((each) => ({
      ...each.root,
      source: each.source.id,
      retention: retentionOf(each),
    })),
    sourceNames: new Map(view.sources.map(({ id, name }) => [id, name])),
    coverage,
    savedChats: (await chatsOf(view)).length,
    promptLogsOnly: (await unmatchedLogs(view)).length,
    odd: await store.replies({ scope, filter, only: "odd" }),
    shared: await store.replies({ scope, filter, only: "shared-id" }),
    unequal: await store.replies({ scope, filter, only: "unequal" }),
    ...(await risksOf(access, nowMs, { filter, most, health })),
    archive: archive && {
      ...archive,
      goneSessions: coverage.goneSessions,
      problems: bytes === "verified" ? await problemsIn(access) : null,
    },
    unkeptFiles: isAllKept ? [] : unkeptFiles(access, { nowMs, isKept }),
  });
  return { ...answer, atRisk: answer.atRisk.slice(0, mostAtRisk) };
}

/** Sync state; `null` unless it is an archive of this machine, since only these are sent. */
function sendingOf(access: StoreAccess): Sending | null {
  if (!access.hasStore || access.setup.options.store !== undefined) return null;
  const { settings, memory } = new SyncFiles(dirname(access.path));
  if (!settings) return null;
  const { lastMs } = memory;
  const lastAt = lastMs === undefined ? null : new Date(lastMs).toISOString();
  return { server: settings.server, team: settings.team, lastAt };
}

/** Bytes up to which all are verified: more takes over a second; `archive verify` checks all. */
const MOST_VERIFIED_BYTES = 160 * 1024 * 1024;

async function problemsIn(access: StoreAccess): Promise<ArchiveHealth["problems"]> {
  const { care } = await access.store();
  if ((await care.originalBytes()) > MOST_VERIFIED_BYTES) return null;
  return (await care.verify(() => undefined)).problems;
}

function unkeptFiles(
  access: StoreAccess,
  context: { nowMs: number; isKept: (path: string) => boolean },
): string[][] {
  const risks = filesAtRisk(access.foundPlaces(), { ...context, warnDays: WARN_DAYS });
  return risks.map(({ files }) => files.map(({ path }) => path));
}

/** Maximum number listed here, as there may be thousands; `doctor` lists all. */
const MOST_NAMED = 20;

/** The most urgent sessions at risk, and a summary of all of them. */
export async function urgentRisks(
  access: StoreAccess,
  nowMs: number,
  filter: SessionFilter,
): Promise<{ atRisk: SessionAtRisk[]; deletion: Deletion }> {
  const names = new Map(access.setup.sources.map(({ id, name }) => [id, name]));
  await access.reads("outline");
  const health = await healthOf(access);
  const { atRisk, counts } = await risksOf(access, nowMs, { filter, most: MOST_NAMED, health });
  return { atRisk, deletion: deletionSummary(counts, names) };
}

interface RiskQuery {
  filter: SessionFilter;
  /** Undefined: no limit. */
  most: number | undefined;
  health: Health;
}

/** The first sessions at risk, and counts of all of them. */
async function risksOf(
  access: StoreAccess,
  nowMs: number,
  { filter, most, health: { unkept, isKept } }: RiskQuery,
): Promise<{ atRisk: SessionAtRisk[]; counts: ExpiringCount[] }> {
  const roots = rootsOf(access);
  // With a session limit (rare), all sessions are needed to know which are beyond it.
  const isLimited = roots.some(({ retention }) => retention.maxSessions !== undefined);
  if (most === undefined || isLimited) {
    const all = await sessionsAtRisk(access, nowMs, { filter, isKept });
    return { atRisk: all.slice(0, most), counts: countRisks(all) };
  }
  const { store, scope } = await access.reads("outline");
  const [rules, beforeMs] = [expiryRules(roots), warnBefore(nowMs)];
  const query = { scope, filter, rules, beforeMs, unkept, limit: most };
  const { counts, first } = await store.expiring(query);
  return { atRisk: findRisks(first, { roots, nowMs, isKept }), counts };
}

/** Sessions that their agents will delete soon. */
export async function sessionsAtRisk(
  access: StoreAccess,
  nowMs: number,
  { filter = {}, isKept }: { filter?: SessionFilter; isKept?: (path: string) => boolean } = {},
): Promise<SessionAtRisk[]> {
  const { store, scope } = await access.reads("outline");
  const roots = rootsOf(access);
  const retentions = roots.map(({ retention }) => retention);
  const { parts } = await store.coverage({ scope });
  const stubs = parts.find(({ part }) => part === "stub")?.files ?? 0;
  const before = riskBefore(retentions, { nowMs, stubs });
  if (before === "none") return [];
  const context = { roots, nowMs, isKept: isKept ?? (await healthOf(access)).isKept };
  const within = { ...filter, ...(before === "all" ? {} : before) };
  return findRisks(await store.located({ scope, filter: within, sort: "newest" }), context);
}

function rootsOf({ setup }: StoreAccess): { path: string; retention: Retention }[] {
  return setup.places.map((place) => ({ path: place.root.path, retention: retentionOf(place) }));
}

export function retentionOf({ source, root }: SourceRoot): Retention {
  const settings = source.abilities.retention?.settings(root);
  return settings ?? { isEnabled: false, from: `${source.name} never deletes sessions` };
}

interface Health {
  archive: Omit<NonNullable<Examined["archive"]>, "goneSessions" | "problems"> | null;
  /** Paths of files whose current state is not kept. */
  unkept: ReadonlySet<string> | "all";
  isKept: (path: string) => boolean;
}

/**
 * How much of the disk is kept. Compares only names, sizes and times; with `refresh: "none"`, it
 * reports the last look if possible.
 */
export async function healthOf(access: StoreAccess): Promise<Health> {
  if (!access.isStoreUsed || !access.mayHoldSessions) {
    return { archive: null, unkept: "all", isKept: () => false };
  }
  const store = await access.store();
  const seen = access.lastComparison.take(access.setup.clock());
  const isLooked = access.setup.options.refresh !== "none";
  const places = access.foundPlaces();
  const { safety, unkept } =
    (seen && (await safetyFromReports(store, seen))) ??
    (isLooked ? undefined : await safetyAtLastLook(store, places)) ??
    (await compareWithDisk(store, places));
  const { lookedMs, ...counts } = safety;
  const lookedAt = lookedMs === 0 ? null : new Date(lookedMs).toISOString();
  return { archive: { ...counts, lookedAt }, unkept, isKept: (path) => !unkept.has(path) };
}
