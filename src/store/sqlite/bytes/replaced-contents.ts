import type { KnownFile, KnownRoot } from "../../../core/files/kept.ts";
import { replacedFile } from "../../../core/files/kept.ts";
import { optional } from "../../../core/optional.ts";
import type { FileState } from "../../file-state.ts";
import type { Database } from "../database.ts";
import { inClause } from "../sql.ts";

interface ReplacedRow {
  file: number;
  stream: number;
  size_bytes: number;
  modified_ms: number;
  digest: Uint8Array | null;
  since_ms: number;
  keys: string | null;
  session_ids: string | null;
}

const SINCE = `coalesce((SELECT min(kept_ms) FROM versions JOIN streams AS other ON other.id = stream
  WHERE other.file = files.id AND kept_ms > last.kept_ms), gone_since_ms, last_seen_ms)`;

const REPLACED = `FROM streams
  JOIN files ON files.id = streams.file AND files.stream <> streams.id
  JOIN versions AS last ON last.id =
    (SELECT id FROM versions WHERE stream = streams.id ORDER BY size_bytes DESC, id DESC LIMIT 1)`;

/** When a replaced content was last modified, and when it was replaced. */
export function replacedState(database: Database, content: number): FileState | undefined {
  const sql = `SELECT last.modified_ms, ${SINCE} AS since_ms ${REPLACED} WHERE streams.id = ?`;
  const row = database.get<Pick<ReplacedRow, "modified_ms" | "since_ms">>(sql, content);
  return row && { modifiedMs: row.modified_ms, goneSinceMs: row.since_ms };
}

/**
 * Replaced contents: streams that are no longer the newest of their file. Each is returned as a
 * file in its last seen state.
 */
export function replacedContents(
  database: Database,
  ids: readonly number[],
  { root, fileOf }: { root: KnownRoot; fileOf: (id: number) => KnownFile | undefined },
): KnownFile[] {
  const listed = inClause(ids.map((id) => -id));
  const sql = `SELECT files.id AS file, streams.id AS stream, last.size_bytes, last.modified_ms,
    last.digest, readings.keys, readings.session_ids, ${SINCE} AS since_ms ${REPLACED}
    LEFT JOIN readings ON readings.file = -streams.id
    WHERE files.root = ? AND streams.id IN ${listed.sql} ORDER BY streams.id`;
  const rows = database.all<ReplacedRow>(sql, root.id, ...listed.values);
  return rows.flatMap((row) => {
    const newest = fileOf(row.file);
    if (!newest) return [];
    const { digest: _ofTheNewest, ...file } = newest;
    const { stream: content, size_bytes: sizeBytes, modified_ms: modifiedMs } = row;
    const digest = row.digest === null ? undefined : Buffer.from(row.digest).toString("hex");
    const keys = JSON.parse(row.keys ?? "[]") as string[];
    const sessionIds = JSON.parse(row.session_ids ?? "[]") as string[];
    const then = {
      content,
      sizeBytes,
      modifiedMs,
      keys,
      sessionIds,
      ...optional("digest", digest),
    };
    return [replacedFile({ ...file, ...then }, row.since_ms)];
  });
}
