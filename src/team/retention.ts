import { rowsOf } from "../core/rows/rows-of.ts";
import type { SessionRow } from "../core/rows/session-rows.ts";
import { rowsToSend } from "../core/team/outgoing-rows.ts";
import { hasRowsOnly } from "../core/team/sync-protocol.ts";
import { promptLogs } from "../ingest/companions/stored-companions.ts";
import { prepareForgetting } from "../ingest/forgetting.ts";
import { readSession } from "../ingest/read-session.ts";
import { shellCommands } from "../kernel/shell/commands.ts";
import type { Source } from "../sources/source.ts";
import type { Store } from "../store/store.ts";
import type { Team } from "../store/team.ts";
import type { ErasureReceipt } from "./erase.ts";
import { eraseSessions } from "./erase.ts";
import { isRowsFile, keepRowsFile, readSentRows } from "./sent-rows.ts";
import { forgetFiles, forgetSharedFiles } from "./shared-files.ts";
import { DAY_MS } from "../core/instant.ts";
import { totalBytes } from "../core/files/session-file.ts";

interface Retaining {
  sources: readonly Source[];
  nowMs: number;
}

/** Removes what is older than the policy allows. */
export async function retain(team: Team, how: Retaining): Promise<ErasureReceipt[]> {
  const { retentionDays, conversationDays, auditDays } = await team.policy();
  const before = (days: number | undefined): number => how.nowMs - (days ?? Infinity) * DAY_MS;
  const receipts: ErasureReceipt[] = [];
  for (const { id: person } of await team.people.list()) {
    const store = team.storeOf({ viewer: person, role: "developer" });
    // Removes segments of interrupted transfers, and bytes whose storage did not answer earlier.
    await store.forget({ files: [], sessions: [], paths: [], nowMs: how.nowMs });
    const work = { team, person, store, ...how };
    const removed = await removeSessions(work, before(retentionDays));
    const reduced = await reduceSessions(work, before(conversationDays));
    receipts.push(...removed, ...reduced);
  }
  if (auditDays !== undefined) await team.looks.removeBefore(before(auditDays));
  return receipts;
}

interface Work extends Retaining {
  team: Team;
  person: number;
  store: Store;
}

async function removeSessions(work: Work, untilMs: number): Promise<ErasureReceipt[]> {
  const { team, person, sources, nowMs } = work;
  const refs = (await sessionsBefore(work, untilMs)).map(({ summary: { source, id } }) => {
    return { source, id };
  });
  const files = await removeOldFiles(work, untilMs);
  if (refs.length + files === 0) return [];
  const erased = { person, refs, kind: "retention" } as const;
  return [await eraseSessions(team, erased, { sources, nowMs, by: null })];
}

/** A session without a time is kept, because its age is unknown. */
async function sessionsBefore({ store }: Work, untilMs: number): Promise<SessionRow[]> {
  if (untilMs === -Infinity) return [];
  const { items } = await store.sessions({ scope: "own" });
  return items.filter(({ summary: { updatedAt, startedAt } }) => {
    return isBefore(updatedAt ?? startedAt, untilMs);
  });
}

function isBefore(time: string | null | undefined, untilMs: number): boolean {
  return typeof time === "string" && Date.parse(time) < untilMs;
}

/** Removes saved chats of before, and logs that have prompts of before, as a whole. */
async function removeOldFiles({ store, sources, nowMs }: Work, untilMs: number): Promise<number> {
  if (untilMs === -Infinity) return 0;
  const logged = await promptLogs(store, { sources, scope: "own" });
  const old = logged.flatMap(({ prompts }) => prompts.filter(({ at }) => isBefore(at, untilMs)));
  const paths = new Set(old.map(({ place }) => place.file));
  const known = await store.known({ roles: ["saved-chat", "prompt-log"], replaced: "with" });
  const files = known.filter(({ path, modifiedMs }) => modifiedMs < untilMs || paths.has(path));
  await forgetFiles(store, files, nowMs);
  return files.length;
}

/** Removes the bytes and words of sessions; their rows stay, as sent at level `outline`. */
async function reduceSessions(work: Work, untilMs: number): Promise<ErasureReceipt[]> {
  const { team, store, nowMs } = work;
  const old = await sessionsBefore(work, untilMs);
  let others = await removeOldFiles(work, untilMs);
  let [conversations, bytes] = [0, 0];
  for (const row of old.filter(({ summary }) => !hasRowsOnly(summary))) {
    const removed = await reduce(work, row);
    conversations += removed === undefined ? 0 : 1;
    bytes += removed ?? 0;
  }
  const ids = old.map(({ summary }) => summary.id);
  if (ids.length > 0) others += await forgetSharedFiles(store, nowMs, ids);
  if (conversations + others === 0) return [];
  const counts = { conversations, bytes, sharedFiles: others };
  const receipt = { kind: "retention", atMs: nowMs, counts } as const;
  const id = await team.looks.addReceipt({ ...receipt, by: null, person: work.person });
  return [{ id, ...receipt }];
}

/** Returns the number of removed bytes; undefined if the session cannot be read. */
async function reduce(work: Work, row: SessionRow): Promise<number | undefined> {
  const { store, sources, nowMs } = work;
  const { source, id } = row.summary;
  const session = await readSession({ store, sources, scope: "own" }, { source, id });
  if (!session) return undefined;
  const rows = rowsToSend(rowsOf(session, shellCommands));
  const { selection } = await prepareForgetting(store, sources, [row]);
  const files = (await store.known({ source, replaced: "with" })).filter((file) => {
    return selection.files.includes(file.id) && !isRowsFile(file);
  });
  const root = (await store.roots()).find((each) => each.id === files[0]?.rootId);
  if (!root) return undefined;
  const origin = { machine: root.machine, nowMs };
  await keepRowsFile(store, rows, origin);
  const ids = selection.files.filter((file) => file < 0 || files.some((each) => each.id === file));
  const { paths } = selection;
  await store.forget({ files: ids, sessions: [], rows: [{ source, id }], paths, nowMs });
  // Another process may have removed it, because the bytes were still there.
  await keepRowsFile(store, rows, origin);
  await readSentRows(store, nowMs);
  return totalBytes(files);
}
