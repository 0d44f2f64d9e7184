import type { KeptFile, KeptRoot } from "../../core/kept.ts";
import { replacedFile } from "../../core/kept.ts";
import type { Database } from "./database.ts";

interface ReplacedRow {
  file: number;
  stream: number;
  size_bytes: number;
  modified_ms: number;
  since_ms: number;
}

/**
 * Contents of files that others took the place of: streams that are no longer the newest. Each is
 * told as a file of its own, as it was when it was last seen.
 */
export function replacedContents(
  database: Database,
  ids: readonly number[],
  around: { root: KeptRoot; fileOf: (id: number) => KeptFile | undefined },
): KeptFile[] {
  if (ids.length === 0) return [];
  const sql = `SELECT files.id AS file, streams.id AS stream, last.size_bytes, last.modified_ms,
    coalesce((SELECT min(kept_ms) FROM versions JOIN streams AS other ON other.id = stream
      WHERE other.file = files.id AND kept_ms > last.kept_ms),
      gone_since_ms, last_seen_ms) AS since_ms
    FROM json_each(?1) JOIN streams ON streams.id = -value
    JOIN files ON files.id = streams.file AND files.root = ?2 AND files.stream <> streams.id
    JOIN versions AS last ON last.id =
      (SELECT id FROM versions WHERE stream = streams.id ORDER BY size_bytes DESC, id DESC LIMIT 1)
    ORDER BY streams.id`;
  const rows = database.all<ReplacedRow>(sql, JSON.stringify(ids), around.root.id);
  return rows.flatMap((row) => {
    const file = around.fileOf(row.file);
    if (!file) return [];
    const { stream, size_bytes: sizeBytes, modified_ms: modifiedMs } = row;
    return [replacedFile({ ...file, stream, sizeBytes, modifiedMs }, row.since_ms)];
  });
}
