import type { KnownFile, KnownRoot, RootOrigin, Version } from "../../core/files/kept.ts";
import { replacedFile } from "../../core/files/kept.ts";
import { optional } from "../../core/optional.ts";
import type { FileRole } from "../../core/files/session-file.ts";
import type { KnownQuery, NewRoot } from "../store.ts";
import { READABLE_ROLES } from "../../core/files/session-file.ts";
import type { Connection } from "./connection.ts";
import { Query } from "./reads/query.ts";
import type { Machine } from "./this-machine.ts";

interface RootRow {
  id: number;
  machine: string;
  machine_name: string;
  source: string;
  path: string;
  how: RootOrigin;
  looked_ms: number;
  snapshot: string | null;
}

export async function rootsOf(connection: Connection, machine: Machine): Promise<KnownRoot[]> {
  const rows = await connection.all<RootRow>("SELECT * FROM roots ORDER BY id");
  return rows.map((row) => rootOf(row, machine));
}

function rootOf(row: RootRow, { uid }: Machine): KnownRoot {
  const { id, source, path, how, machine, machine_name: name, looked_ms: lookedMs } = row;
  const from = { uid: machine, name, isThis: machine === uid };
  const snapshot = optional("snapshot", row.snapshot ?? undefined);
  return { id, source, path, how, machine: from, lookedMs, ...snapshot };
}

/** Adds a root. A `visited` root is promoted when it is kept on purpose, never the reverse. */
export async function addRoot(
  connection: Connection,
  machine: Machine,
  { root, nowMs }: { root: NewRoot; nowMs: number },
): Promise<KnownRoot> {
  const sql = `INSERT INTO roots (machine, machine_name, source, path, how, looked_ms)
    VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (machine, source, path, person) DO UPDATE SET
      how = CASE WHEN roots.how = 'visited' OR excluded.how = 'usual' THEN excluded.how
        ELSE roots.how END,
      machine_name = excluded.machine_name, looked_ms = excluded.looked_ms
    RETURNING *`;
  const { uid, name } = root.machine ?? machine;
  const values = [uid, name, root.source, root.path, root.how, nowMs];
  const [row] = await connection.all<RootRow>(sql, values);
  if (!row) throw new RangeError(`No root was added: ${root.path}`);
  return rootOf(row, machine);
}

interface FileRow {
  id: number;
  root: number;
  root_path: string;
  path: string;
  role: FileRole;
  folder: string;
  parent: string | null;
  is_cleaned: boolean;
  size_bytes: number;
  modified_ms: number;
  changed_ms: number | null;
  inode: number | null;
  is_settled: boolean;
  content: number;
  digest: string | null;
  first_seen_ms: number;
  last_seen_ms: number;
  gone_since_ms: number | null;
  keys: string[] | null;
  session_ids: string[] | null;
}

interface ReplacedRow extends FileRow {
  replaced_ms: number | null;
}

function fileOf(row: FileRow): KnownFile {
  return {
    path: row.path,
    root: row.root_path,
    role: row.role,
    sizeBytes: row.size_bytes,
    modifiedMs: row.modified_ms,
    folder: row.folder,
    isCleaned: row.is_cleaned,
    ...optional("changedMs", row.changed_ms ?? undefined),
    ...optional("inode", row.inode ?? undefined),
    ...optional("parentId", row.parent ?? undefined),
    id: row.id,
    rootId: row.root,
    content: row.content,
    ...optional("digest", row.digest ?? undefined),
    isSettled: row.is_settled,
    firstSeenMs: row.first_seen_ms,
    lastSeenMs: row.last_seen_ms,
    ...optional("goneSinceMs", row.gone_since_ms ?? undefined),
    keys: row.keys ?? [],
    sessionIds: row.session_ids ?? [],
  };
}

function replacedOf(row: ReplacedRow): KnownFile {
  const { digest: _ofTheNewest, ...file } = fileOf(row);
  const until = row.replaced_ms ?? row.gone_since_ms ?? row.last_seen_ms;
  return replacedFile(file, until);
}

const NEWEST = `SELECT files.*, roots.path AS root_path, readings.keys, readings.session_ids
  FROM files JOIN roots ON roots.id = files.root LEFT JOIN readings ON readings.file = files.id`;

/** Contents that are no longer the newest of their file, in their last state. */
const REPLACED = `SELECT files.id, files.root, files.path, files.role, files.folder, files.parent,
    files.is_cleaned, last.size_bytes, last.modified_ms, files.changed_ms, files.inode,
    files.is_settled,
    contents.id AS content, files.digest, files.first_seen_ms, files.last_seen_ms,
    files.gone_since_ms, roots.path AS root_path, readings.keys, readings.session_ids,
    (SELECT min(later.kept_ms) FROM contents other JOIN versions later ON later.content = other.id
      WHERE other.file = files.id AND later.kept_ms > last.kept_ms) AS replaced_ms
  FROM contents
  JOIN files ON files.id = contents.file AND files.content <> contents.id
  JOIN roots ON roots.id = files.root
  JOIN LATERAL (SELECT * FROM versions WHERE versions.content = contents.id
    ORDER BY versions.id DESC LIMIT 1) AS last ON true
  LEFT JOIN readings ON readings.file = -contents.id`;

/** Replaced contents that were read, and when they were replaced. */
export const REPLACED_STATE = `SELECT files.path || '.replaced-' || contents.id AS path,
    last.modified_ms, coalesce((SELECT min(later.kept_ms) FROM contents other
      JOIN versions later ON later.content = other.id
      WHERE other.file = files.id AND later.kept_ms > last.kept_ms),
      files.gone_since_ms, files.last_seen_ms) AS gone_since_ms
  FROM contents
  JOIN files ON files.id = contents.file AND files.content <> contents.id
  JOIN readings ON readings.file = -contents.id AND readings.is_read
  JOIN LATERAL (SELECT * FROM versions WHERE versions.content = contents.id
    ORDER BY versions.id DESC LIMIT 1) AS last ON true`;

export async function knownFiles(connection: Connection, query: KnownQuery): Promise<KnownFile[]> {
  const newest = meant(query);
  if (query.ids) newest.where(`files.id = ANY(${newest.value(query.ids)}::int8[])`);
  const rows = await connection.all<FileRow>(
    `${NEWEST} WHERE ${newest.conditions} ORDER BY files.id`,
    newest.values,
  );
  return [...rows.map(fileOf), ...(await replacedFiles(connection, query))];
}

async function replacedFiles(connection: Connection, query: KnownQuery): Promise<KnownFile[]> {
  const named = (query.ids ?? []).filter((id) => id < 0).map((id) => -id);
  if (query.replaced !== "with" && named.length === 0) return [];
  const earlier = meant(query);
  if (query.ids) earlier.where(`contents.id = ANY(${earlier.value(named)}::int8[])`);
  else earlier.where("readings.is_read");
  const rows = await connection.all<ReplacedRow>(
    `${REPLACED} WHERE ${earlier.conditions} ORDER BY contents.id`,
    earlier.values,
  );
  return rows.map(replacedOf);
}

/** Conditions of a query, without its ids. */
function meant({ rootId, source, roles, paths, keys }: KnownQuery): Query {
  const query = new Query();
  if (rootId !== undefined) query.where(`files.root = ${query.value(rootId)}`);
  if (source !== undefined) query.where(`roots.source = ${query.value(source)}`);
  if (roles) query.where(`files.role = ANY(${query.value(roles)}::text[])`);
  if (paths) query.where(`files.path = ANY(${query.value(paths)}::text[])`);
  if (keys) query.where(`readings.keys && ${query.value(keys)}::text[]`);
  return query;
}

/** Files and replaced contents that were not read in their current state. */
export async function unreadFiles(connection: Connection): Promise<number[]> {
  const sql = `SELECT id FROM (
      SELECT id, root, role, content, size_bytes FROM files
      UNION ALL
      SELECT -earlier.content, root, role, earlier.content, earlier.size_bytes
      FROM (${REPLACED}) AS earlier
    ) AS kept
    WHERE role = ANY($1::text[])
    AND NOT EXISTS (SELECT 1 FROM roots WHERE roots.id = kept.root AND roots.how = 'visited')
    AND NOT EXISTS (SELECT 1 FROM readings WHERE readings.file = kept.id
      AND readings.content = kept.content AND readings.size_bytes = kept.size_bytes)
    ORDER BY id`;
  const rows = await connection.all<{ id: number }>(sql, [READABLE_ROLES]);
  return rows.map(({ id }) => id);
}

interface VersionRow {
  id: number;
  file: number;
  content: number;
  size_bytes: number;
  modified_ms: number;
  kept_ms: number;
  digest: string | null;
}

export async function versionsOf(connection: Connection, fileId: number): Promise<Version[]> {
  const sql = `SELECT versions.*, contents.file FROM versions
    JOIN contents ON contents.id = versions.content
    WHERE contents.file = coalesce((SELECT file FROM contents WHERE id = -$1::int8), $1::int8)
    ORDER BY kept_ms, versions.id`;
  const rows = await connection.all<VersionRow>(sql, [fileId]);
  return rows.map(({ id, file, content, size_bytes, modified_ms, kept_ms, digest }) => {
    const times = { modifiedMs: modified_ms, keptMs: kept_ms };
    const of = { id, fileId: file, content, sizeBytes: size_bytes };
    return { ...of, ...times, ...optional("digest", digest ?? undefined) };
  });
}
