import { hash } from "node:crypto";
import type { SessionRows } from "../core/rows/session-rows.ts";
import type { SentSession } from "../core/team/sync-protocol.ts";
import { hasRowsOnly, ROWS_FORMAT } from "../core/team/sync-protocol.ts";
import type { FileReading, SessionRef, Store } from "../store/store.ts";
import { importVersion } from "../store/import-version.ts";
import { memoryBytes } from "../kernel/bytes.ts";

/**
 * Root for rows that a machine sent instead of bytes: they are kept as files, since the derived
 * half can be deleted.
 */
const SENT_ROWS_ROOT = "told";

/** Keeps sent rows as a file and stores them as session rows. */
export async function keepSentRows(
  store: Store,
  { rows }: SentSession,
  { machine, nowMs }: { machine: { uid: string; name: string }; nowMs: number },
): Promise<void> {
  const { source, id } = rows.summary;
  const isErased = (await store.forgotten()).has("session", id);
  if (isErased || (await hasBytes(store, { source, id }))) return;
  const root = await store.addRoot({ source, path: SENT_ROWS_ROOT, how: "usual", machine }, nowMs);
  const bytes = Buffer.from(JSON.stringify(rows));
  const path = `${SENT_ROWS_ROOT}/${hash("sha256", id, "hex")}.json`;
  const seen = { folder: "", isCleaned: false, modifiedMs: nowMs, sizeBytes: bytes.length };
  await importVersion(store, {
    rootId: root.id,
    file: { path, root: SENT_ROWS_ROOT, role: "companion", ...seen },
    keptMs: nowMs,
    digest: hash("sha256", bytes, "hex"),
    bytes: memoryBytes(path, bytes),
  });
  await enter(store, { rootId: root.id, path, rows, nowMs });
}

/** Restores sent rows after the derived half was deleted. */
export async function readSentRows(store: Store, nowMs: number): Promise<void> {
  for (const root of (await store.roots()).filter(({ path }) => path === SENT_ROWS_ROOT)) {
    const files = await store.known({ rootId: root.id });
    for (const file of files.filter(({ sessionIds }) => sessionIds.length === 0)) {
      const text = (await store.bytes(file)).range(0, file.sizeBytes).toString();
      const rows = JSON.parse(text) as SessionRows;
      if (await hasBytes(store, rows.summary)) await drop(store, [file.id], nowMs);
      else await enter(store, { rootId: root.id, path: file.path, rows, nowMs });
    }
  }
}

/**
 * Removes rows that were sent for these sessions, because their machine sends them in another form.
 */
export async function dropSentRows(
  store: Store,
  names: readonly SessionRef[],
  nowMs: number,
): Promise<void> {
  const files: number[] = [];
  for (const root of (await store.roots()).filter(({ path }) => path === SENT_ROWS_ROOT)) {
    const ids = new Set(names.filter((one) => one.source === root.source).map(({ id }) => id));
    const known = await store.known({ rootId: root.id });
    files.push(
      ...known.filter((file) => file.sessionIds.some((id) => ids.has(id))).map(({ id }) => id),
    );
  }
  const dropped: SessionRef[] = [];
  for (const ref of names) if (!(await hasBytes(store, ref))) dropped.push(ref);
  await store.commit({ nowMs, files: [], readings: [], sessions: [], dropped });
  await drop(store, files, nowMs);
}

/** Removes files of sent rows without noting them as forgotten: they may be sent again. */
async function drop(store: Store, files: readonly number[], nowMs: number): Promise<void> {
  await store.forget({ files, sessions: [], paths: [], nowMs });
}

/** True if the session's bytes are kept; bytes take precedence over rows, whichever came later. */
async function hasBytes(store: Store, { source, id }: SessionRef): Promise<boolean> {
  const query = { scope: "own", filter: { source }, sort: "newest", ids: [id] } as const;
  return (await store.sessions(query)).items.some(({ summary }) => !hasRowsOnly(summary));
}

async function enter(
  store: Store,
  { rootId, path, rows, nowMs }: { rootId: number; path: string; rows: SessionRows; nowMs: number },
): Promise<void> {
  const reading: FileReading = {
    rootId,
    path,
    format: ROWS_FORMAT,
    generation: "1",
    keys: [],
    sessionIds: [rows.summary.id],
    isRead: true,
    diagnostics: [],
  };
  const batch = { nowMs, files: [], readings: [reading], sessions: [rows], dropped: [] };
  await store.commit(batch);
}
