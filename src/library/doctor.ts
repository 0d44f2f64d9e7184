import { dirname } from "node:path";
import type { ExpiringCount, Retention } from "../core/files/expiry.ts";
import { expiryRules } from "../core/files/expiry.ts";
import type { SessionFilter } from "../core/filter/filter.ts";
import { timeText } from "../core/instant.ts";
import { filesAtRisk } from "../ingest/retention-risk.ts";
import { safetyFromReports, safetyAtLastLook, compareWithDisk } from "../ingest/safety.ts";
import type { Deletion } from "../queries/doctor/deletion.ts";
import { countRisks, deletionSummary } from "../queries/doctor/deletion.ts";
import type { ArchiveHealth, DoctorAnswer, Examined, Sending } from "../queries/doctor/doctor.ts";
import { examine } from "../queries/doctor/doctor.ts";
import type { SessionAtRisk } from "../queries/doctor/retention-risk.ts";
import { findRisks, warnBefore, WARN_DAYS } from "../queries/doctor/retention-risk.ts";
import type { Root, Source } from "../sources/source.ts";
import { SyncFiles } from "../sync/settings.ts";
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
      retention: retentionOf(each.source, each.root),
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
  return { server: settings.server, team: settings.team, lastAt: timeText(memory.lastMs) };
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

/** All sessions at risk, most urgent first. */
export async function sessionsAtRisk(
  access: StoreAccess,
  nowMs: number,
  health: Health,
): Promise<SessionAtRisk[]> {
  return (await risksOf(access, nowMs, { filter: {}, most: undefined, health })).atRisk;
}

interface RiskQuery {
  filter: SessionFilter;
  /** Undefined: no limit. */
  most: number | undefined;
  health: Health;
}

/** Sessions that their agents will delete soon: the most urgent ones, and counts of all. */
async function risksOf(
  access: StoreAccess,
  nowMs: number,
  { filter, most, health: { unkept, isKept } }: RiskQuery,
): Promise<{ atRisk: SessionAtRisk[]; counts: ExpiringCount[] }> {
  const roots = access.setup.places.map((place) => {
    return { path: place.root.path, retention: retentionOf(place.source, place.root) };
  });
  const { store, scope } = await access.reads("outline");
  // With a session limit (rare), all sessions are needed to know which are beyond it.
  if (roots.some(({ retention }) => retention.maxSessions !== undefined)) {
    const located = await store.located({ scope, filter });
    const all = findRisks(located, { roots, nowMs, isKept });
    return { atRisk: all.slice(0, most), counts: countRisks(all) };
  }
  const [rules, beforeMs] = [expiryRules(roots), warnBefore(nowMs)];
  const query = { scope, filter, rules, beforeMs, unkept, limit: most };
  const { counts, first } = await store.expiring(query);
  return { atRisk: findRisks(first, { roots, nowMs, isKept }), counts };
}

export function retentionOf(source: Source, root: Root): Retention {
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
