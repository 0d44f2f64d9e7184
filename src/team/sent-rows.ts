import { hash } from "node:crypto";
import type { KnownFile, KnownRoot } from "../core/files/kept.ts";
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
  { machine, nowMs }: RowsOrigin,
): Promise<void> {
  const isErased = (await store.forgotten()).hasSession(rows.summary);
  if (isErased || (await isKnownBetter(store, rows.summary))) return;
  const { rootId, path } = await keepRowsFile(store, rows, { machine, nowMs });
  try {
    await enter(store, { rootId, path, rows, nowMs });
  } catch (error) {
    // Rows that do not fit must not stay: they would fail again with every rebuild.
    const files = await store.known({ rootId, paths: [path] });
    await drop(
      store,
      files.map((file) => file.id),
      nowMs,
    );
    throw error;
  }
}

interface RowsOrigin {
  machine: { uid: string; name: string };
  nowMs: number;
}

/** Keeps rows as a file; `readSentRows` makes session rows of it, unless bytes are kept, too. */
export async function keepRowsFile(
  store: Store,
  rows: SessionRows,
  { machine, nowMs }: RowsOrigin,
): Promise<{ rootId: number; path: string }> {
  const { source, id } = rows.summary;
  const root = await store.addRoot({ source, path: SENT_ROWS_ROOT, how: "usual", machine }, nowMs);
  const bytes = Buffer.from(JSON.stringify(rows));
  const path = pathOf(id);
  const seen = { folder: "", isCleaned: false, modifiedMs: nowMs, sizeBytes: bytes.length };
  await importVersion(store, {
    rootId: root.id,
    file: { path, root: SENT_ROWS_ROOT, role: "companion", ...seen },
    keptMs: nowMs,
    digest: hash("sha256", bytes, "hex"),
    bytes: memoryBytes(path, bytes),
  });
  return { rootId: root.id, path };
}

/** Whether a file holds rows that were sent instead of bytes. */
export function isRowsFile({ root }: { root: string }): boolean {
  return root === SENT_ROWS_ROOT;
}

function pathOf(id: string): string {
  return `${SENT_ROWS_ROOT}/${hash("sha256", id, "hex")}.json`;
}

/** Restores sent rows after the derived half was deleted. */
export async function readSentRows(store: Store, nowMs: number): Promise<void> {
  for (const root of (await store.roots()).filter(({ path }) => path === SENT_ROWS_ROOT)) {
    const files = await store.known({ rootId: root.id });
    for (const file of files.filter(({ sessionIds }) => sessionIds.length === 0)) {
      try {
        await readFile(store, { root, file, nowMs });
      } catch (error) {
        // Rows that do not fit stay unread, so that those of others are read. Or the machine has
        // dropped the file in the meantime.
        if (isOfRows(error) || (await store.known({ ids: [file.id] })).length === 0) continue;
        throw error;
      }
    }
  }
}

/** True if values of sent rows do not fit, not if the database fails. */
export function isOfRows(error: unknown): boolean {
  const { code = "" } = error as { code?: unknown };
  return error instanceof TypeError || /^2[23]/.test(String(code));
}

async function readFile(
  store: Store,
  { root, file, nowMs }: { root: KnownRoot; file: KnownFile; nowMs: number },
): Promise<void> {
  const text = (await store.bytes(file)).range(0, file.sizeBytes).toString();
  const rows = JSON.parse(text) as SessionRows;
  if (await isKnownBetter(store, rows.summary)) await drop(store, [file.id], nowMs);
  else await enter(store, { rootId: root.id, path: file.path, rows, nowMs });
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
    const paths = names.filter(({ source }) => source === root.source).map(({ id }) => pathOf(id));
    files.push(...(await store.known({ rootId: root.id, paths })).map(({ id }) => id));
  }
  // Files first: rows cannot be made again from a file that is gone, not even by another server.
  await drop(store, files, nowMs);
  const dropped: SessionRef[] = [];
  for (const ref of names) if (!(await hasBytes(store, ref))) dropped.push(ref);
  await store.commit({ nowMs, files: [], readings: [], sessions: [], dropped });
}

/** Removes files of sent rows without noting them as forgotten: they may be sent again. */
async function drop(store: Store, files: readonly number[], nowMs: number): Promise<void> {
  await store.forget({ files, sessions: [], paths: [], nowMs });
}

/** True if the session's bytes are kept; bytes take precedence over rows, whichever came later. */
async function hasBytes(store: Store, ref: SessionRef): Promise<boolean> {
  return (await known(store, ref)).some((summary) => !hasRowsOnly(summary));
}

/** True if bytes are kept, or rows of a later state that another machine has sent. */
async function isKnownBetter(store: Store, sent: SessionRows["summary"]): Promise<boolean> {
  return (await known(store, sent)).some((summary) => {
    return !hasRowsOnly(summary) || (summary.updatedAt ?? "") > (sent.updatedAt ?? "");
  });
}

async function known(
  store: Store,
  { source, id }: SessionRef,
): Promise<readonly SessionRows["summary"][]> {
  const query = { scope: "own", filter: { source }, ids: [id] } as const;
  return (await store.sessions(query)).items.map(({ summary }) => summary);
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
  const sessions = [withDefaults(rows)];
  const batch = { nowMs, files: [], readings: [reading], sessions, dropped: [] };
  await store.commit(batch);
}

/** Fills in what earlier versions of the client did not send. */
function withDefaults(rows: SessionRows): SessionRows {
  return {
    ...rows,
    summary: { ...UNSENT, ...rows.summary },
    usage: rows.usage.map((fact) => ({ ...UNSENT, ...fact })),
  };
}

const UNSENT = { webSearches: null };
