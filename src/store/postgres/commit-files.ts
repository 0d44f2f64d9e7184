import type { KnownFile } from "../../core/files/kept.ts";
import type { SessionFile } from "../../core/files/session-file.ts";
import type { Batch, FileChange } from "../store.ts";
import type { StoredChunk } from "./bytes/chunks.ts";
import { known, storeBytes } from "./bytes/chunks.ts";
import type { Connection } from "./connection.ts";
import type { Database } from "./database.ts";
import { insertRows, replaceOn } from "./derived/insert.ts";

type ContentChange = Extract<FileChange, { kind: "content" }>;

/** Chunks of a batch, stored before its transaction begins. */
export type StoredContents = ReadonlyMap<FileChange, readonly StoredChunk[]>;

export async function storeContents(
  database: Database,
  changes: readonly FileChange[],
): Promise<StoredContents> {
  const contents = new Map<FileChange, StoredChunk[]>();
  for (const change of changes) {
    if (change.kind !== "content") continue;
    contents.set(change, await storeBytes(database, change.content.pieces));
  }
  return contents;
}

interface Current {
  id: number;
  root: number;
  path: string;
  content: number;
  size_bytes: number;
}

/** The current rows of files, locked until the transaction ends. */
async function currentFiles(
  connection: Connection,
  changes: readonly FileChange[],
): Promise<{ byId: Map<number, Current>; byPath: Map<string, Current> }> {
  const ids = changes.flatMap((change) => (change.known ? [change.known.id] : []));
  const contents = changes.filter((change) => change.kind === "content");
  const sql = `SELECT id, root, path, content, size_bytes FROM files WHERE id = ANY($1::int8[])
    OR (root, path) IN (SELECT * FROM unnest($2::int4[], $3::text[])) FOR UPDATE`;
  const roots = contents.map(({ rootId }) => rootId);
  const paths = contents.map(({ file }) => file.path);
  const rows = await connection.all<Current>(sql, [ids, roots, paths]);
  return {
    byId: new Map(rows.map((row) => [row.id, row])),
    byPath: new Map(rows.map((row) => [placeOf(row.root, row.path), row])),
  };
}

function placeOf(root: number, path: string): string {
  return `${root}\n${path}`;
}

/**
 * Returns true if another writer has changed a file since the comparison, or removed chunks of it.
 */
export async function isOutdated(
  connection: Connection,
  changes: readonly FileChange[],
  contents: StoredContents,
): Promise<boolean> {
  if (changes.length === 0) return false;
  const { byId, byPath } = await currentFiles(connection, changes);
  const isStale = changes.some((change) => {
    const file =
      change.kind === "content"
        ? byPath.get(placeOf(change.rootId, change.file.path))
        : byId.get(change.known.id);
    if (!file || !change.known) return (file === undefined) !== (change.known === undefined);
    return file.content !== change.known.content || file.size_bytes !== change.known.sizeBytes;
  });
  if (isStale) return true;
  const chunks = [...contents.values()].flat();
  const names = new Set(chunks.map(({ digest }) => digest.toString("hex")));
  return chunks.length > 0 && (await known(connection, chunks)).size < names.size;
}

const FILE_COLUMNS = [
  "id",
  "root",
  "path",
  "role",
  "folder",
  "parent",
  "is_cleaned",
  "size_bytes",
  "modified_ms",
  "changed_ms",
  "inode",
  "is_settled",
  "content",
  "digest",
  "first_seen_ms",
  "last_seen_ms",
  "gone_since_ms",
] as const;

type KeptFile = Omit<KnownFile, "keys" | "sessionIds">;

export async function putFiles(
  connection: Connection,
  { files: changes, nowMs }: Batch,
  contents: StoredContents,
): Promise<void> {
  const fresh = changes.filter((change) => change.kind === "content");
  const fileIds = await nextIds(connection, "files", fresh.length);
  const contentIds = await nextIds(connection, "contents", fresh.length);
  const files: KeptFile[] = [];
  const pieces: unknown[][] = [];
  for (const change of changes) {
    if (change.kind !== "content") {
      files.push(seenAgain(change, nowMs));
      continue;
    }
    const ids = { id: fileIds.pop() ?? 0, content: contentIds.pop() ?? 0 };
    const file = keptFile(change, ids, nowMs);
    files.push(file);
    pieces.push(...piecesOf(file, change, contents.get(change) ?? []));
  }
  await putContents(connection, fresh, { files, nowMs });
  const rows = files.map(rowOf);
  const conflict = replaceOn("id", FILE_COLUMNS);
  await insertRows(connection, { table: "files", columns: FILE_COLUMNS, conflict }, rows);
  const columns = ["content", "start", "digest"];
  await insertRows(connection, { table: "pieces", columns }, pieces);
}

async function nextIds(connection: Connection, table: string, count: number): Promise<number[]> {
  if (count === 0) return [];
  const sql = `SELECT nextval(pg_get_serial_sequence($1, 'id'))::int8 AS id
    FROM generate_series(1, $2)`;
  const rows = await connection.all<{ id: number }>(sql, [table, count]);
  return rows.map(({ id }) => id).toReversed();
}

/** Inserts new contents, and a version for every changed content. */
async function putContents(
  connection: Connection,
  changes: readonly ContentChange[],
  { files, nowMs }: { files: readonly KeptFile[]; nowMs: number },
): Promise<void> {
  const kept = new Map(files.map((file) => [placeOf(file.rootId, file.path), file]));
  const changed = changes.flatMap((change) => {
    const file = kept.get(placeOf(change.rootId, change.file.path));
    return file ? [{ file, change }] : [];
  });
  const begun = changed
    .filter(({ file, change }) => file.content !== change.known?.content)
    .map(({ file }) => [file.content, file.id]);
  await insertRows(connection, { table: "contents", columns: ["id", "file"] }, begun);
  const columns = ["content", "size_bytes", "modified_ms", "kept_ms", "digest"];
  const versions = changed.map(({ file }) => {
    return [file.content, file.sizeBytes, file.modifiedMs, nowMs, file.digest ?? null];
  });
  await insertRows(connection, { table: "versions", columns }, versions);
}

function keptFile(
  { rootId, file, content, known: before }: ContentChange,
  ids: { id: number; content: number },
  nowMs: number,
): KeptFile {
  const isAppended = content.how === "appended" && before !== undefined;
  return {
    ...seen(file),
    id: before?.id ?? ids.id,
    rootId,
    sizeBytes: content.sizeBytes,
    content: isAppended ? before.content : ids.content,
    digest: content.digest,
    isSettled: content.isSettled,
    firstSeenMs: before?.firstSeenMs ?? nowMs,
    lastSeenMs: nowMs,
  };
}

function seenAgain(change: Exclude<FileChange, ContentChange>, nowMs: number): KeptFile {
  if (change.kind === "gone") {
    return { ...change.known, goneSinceMs: change.known.goneSinceMs ?? nowMs };
  }
  const { goneSinceMs: _back, ...before } = change.known;
  return { ...before, ...seen(change.file), isSettled: change.isSettled, lastSeenMs: nowMs };
}

function seen({ replaced: _other, ...file }: SessionFile): SessionFile {
  return file;
}

function piecesOf(
  { content, sizeBytes }: KeptFile,
  change: ContentChange,
  chunks: readonly StoredChunk[],
): unknown[][] {
  let start = sizeBytes - chunks.reduce((sum, chunk) => sum + chunk.sizeBytes, 0);
  if (change.content.how === "whole") start = 0;
  return chunks.map(({ digest, sizeBytes: length }) => {
    const row = [content, start, digest];
    start += length;
    return row;
  });
}

function rowOf(file: KeptFile): unknown[] {
  return [
    file.id,
    file.rootId,
    file.path,
    file.role,
    file.folder,
    file.parentId ?? null,
    file.isCleaned,
    file.sizeBytes,
    file.modifiedMs,
    file.changedMs ?? null,
    file.inode ?? null,
    file.isSettled,
    file.content,
    file.digest ?? null,
    file.firstSeenMs,
    file.lastSeenMs,
    file.goneSinceMs ?? null,
  ];
}
