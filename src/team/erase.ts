import { forgetSessions } from "../ingest/forgetting.ts";
import { forgetSharedFiles } from "../ingest/shared-files.ts";
import type { Source } from "../sources/source.ts";
import type { SessionRef } from "../store/store.ts";
import type { Receipt, Team } from "../store/team.ts";

/** Context of an erasure. */
export interface Erasing {
  sources: readonly Source[];
  nowMs: number;
  /** Who erases; `null` for the daily job. */
  by: number | null;
}

/** The recorded result of an erasure. */
export type ErasureReceipt = Pick<Receipt, "kind" | "atMs" | "counts"> & { id: number };

/**
 * Removes a person's sessions: bytes, rows and words, and logs that have prompts of them. Their ids
 * and paths stay noted, so that machines do not send them again.
 */
export async function eraseSessions(
  team: Team,
  { person, refs, kind }: { person: number; refs: readonly SessionRef[]; kind: Receipt["kind"] },
  { sources, nowMs, by }: Erasing,
): Promise<ErasureReceipt> {
  const store = team.storeOf({ viewer: person, role: "developer" });
  const plan = await forgetSessions(store, sources, { refs, nowMs });
  const sharedFiles = await forgetSharedFiles(store, nowMs);
  await team.openings.close(person, plan.sessions);
  const counts = {
    sessions: plan.sessions.length,
    files: plan.files.length,
    bytes: plan.sizeBytes,
    sharedFiles,
  };
  const receipt = { kind, atMs: nowMs, counts };
  return { id: await team.looks.addReceipt({ ...receipt, by }), ...receipt };
}

/** Removes everything of a person: rows, bytes, devices, teams and the name. No note stays. */
export async function erasePerson(
  team: Team,
  person: number,
  { nowMs, by }: Omit<Erasing, "sources">,
): Promise<ErasureReceipt> {
  await team.people.leave(person, nowMs);
  const keys = (await team.people.destroyKey(person)) ? { keys: 1 } : {};
  const counts = { ...keys, ...(await team.eraseRows(person)) };
  await team.people.erase(person);
  const receipt = { kind: "erasure", atMs: nowMs, counts } as const;
  return { id: await team.looks.addReceipt({ ...receipt, by }), ...receipt };
}

const DAY_MS = 86_400_000;

/** Removes sessions older than the policy allows. */
export async function retain(
  team: Team,
  { sources, nowMs }: Omit<Erasing, "by">,
): Promise<ErasureReceipt[]> {
  const { retentionDays } = await team.policy();
  const people = await team.people.list();
  // Removes leftover bytes whose storage did not answer earlier.
  for (const { id } of people) {
    await team.storeOf({ viewer: id, role: "developer" }).care.settle();
  }
  if (retentionDays === undefined) return [];
  const untilMs = nowMs - retentionDays * DAY_MS;
  const receipts: ErasureReceipt[] = [];
  for (const { id: person } of people) {
    const store = team.storeOf({ viewer: person, role: "developer" });
    const { items } = await store.sessions({ scope: "own", filter: {}, sort: "newest" });
    const refs = items
      .map(({ summary }) => summary)
      .filter(({ updatedAt, startedAt }) => isBefore(updatedAt ?? startedAt, untilMs))
      .map(({ source, id }) => ({ source, id }));
    if (refs.length === 0) continue;
    const erased = { person, refs, kind: "retention" } as const;
    receipts.push(await eraseSessions(team, erased, { sources, nowMs, by: null }));
  }
  return receipts;
}

/** A session without a time is kept, because its age is unknown. */
function isBefore(time: string | null, untilMs: number): boolean {
  return time !== null && Date.parse(time) < untilMs;
}
