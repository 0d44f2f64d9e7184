import type { KnownFile, KnownRoot, RootOrigin } from "../../../core/files/kept.ts";
import { optional } from "../../../core/optional.ts";
import type { FileRole } from "../../../core/files/session-file.ts";
import { joinPath, relativePath } from "../../paths.ts";
import type { KnownQuery } from "../../store.ts";
import { inClause } from "../sql.ts";

/** Files with their readings and the digest of their newest content. */
export const FILES = `SELECT files.*, readings.keys, readings.session_ids,
  (SELECT digest FROM versions WHERE versions.stream = files.stream
    AND versions.size_bytes = files.size_bytes ORDER BY versions.id DESC LIMIT 1) AS digest
  FROM files LEFT JOIN readings ON readings.file = files.id`;

/** Builds the query for a root's files. */
export function knownSql(
  root: KnownRoot,
  { ids, paths, keys, roles }: KnownQuery,
): { sql: string; values: (string | number)[] } {
  const isFew = [ids, paths, keys, roles].some((list) => list !== undefined);
  const conditions = [isFew ? "root = ?" : "+root = ?"];
  const values: (string | number)[] = [root.id];
  const narrow = (
    list: readonly (string | number)[] | undefined,
    conditionOf: (listed: string) => string,
  ): void => {
    if (!list) return;
    const listed = inClause(list);
    conditions.push(conditionOf(listed.sql));
    values.push(...listed.values);
  };
  const relative = paths?.map((path) => relativePath(root.path, path));
  narrow(ids, (listed) => `files.id IN ${listed}`);
  narrow(relative, (listed) => `files.path IN ${listed}`);
  narrow(roles, (listed) => `role IN ${listed}`);
  narrow(keys, (listed) => {
    return `files.id IN (SELECT file FROM reading_keys WHERE key IN ${listed})`;
  });
  return { sql: `${FILES} WHERE ${conditions.join(" AND ")} ORDER BY files.id`, values };
}

export interface RootRow {
  id: number;
  source: string;
  path: string;
  how: RootOrigin;
  looked_ms: number;
  uid: string;
  name: string;
  is_this: number;
  snapshot: string | null;
}

export function rootOf(row: RootRow): KnownRoot {
  const { id, source, path, how, uid, name } = row;
  const machine = { uid, name, isThis: row.is_this === 1 };
  const snapshot = optional("snapshot", row.snapshot ?? undefined);
  return { id, source, path, how, machine, lookedMs: row.looked_ms, ...snapshot };
}

export interface FileRow {
  id: number;
  root: number;
  path: string;
  role: FileRole;
  folder: string;
  parent: string | null;
  is_cleaned: number;
  size_bytes: number;
  modified_ms: number;
  changed_ms: number | null;
  inode: number | null;
  is_settled: number;
  stream: number;
  first_seen_ms: number;
  last_seen_ms: number;
  gone_since_ms: number | null;
  keys: string | null;
  session_ids: string | null;
  digest: Uint8Array | null;
}

export function fileOf(row: FileRow, root: KnownRoot): KnownFile {
  const digest = row.digest === null ? undefined : Buffer.from(row.digest).toString("hex");
  return {
    id: row.id,
    rootId: row.root,
    path: joinPath(root.path, row.path),
    root: root.path,
    role: row.role,
    sizeBytes: row.size_bytes,
    modifiedMs: row.modified_ms,
    ...optional("changedMs", row.changed_ms ?? undefined),
    ...optional("inode", row.inode ?? undefined),
    folder: row.folder,
    isCleaned: row.is_cleaned === 1,
    ...optional("parentId", row.parent ?? undefined),
    content: row.stream,
    ...optional("digest", digest),
    isSettled: row.is_settled === 1,
    firstSeenMs: row.first_seen_ms,
    lastSeenMs: row.last_seen_ms,
    ...optional("goneSinceMs", row.gone_since_ms ?? undefined),
    keys: JSON.parse(row.keys ?? "[]") as string[],
    sessionIds: JSON.parse(row.session_ids ?? "[]") as string[],
  };
}
