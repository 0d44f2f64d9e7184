import { forgetSessions } from "../ingest/forgetting.ts";
import { forgetSharedFiles } from "./shared-files.ts";
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
  return { id: await team.looks.addReceipt({ ...receipt, by, person }), ...receipt };
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
  return { id: await team.looks.addReceipt({ ...receipt, by, person }), ...receipt };
}
