import type { FileReading, RootComparison } from "../store.ts";
import type { Connection } from "./connection.ts";
import { insertRows, replaceOn } from "./derived/insert.ts";

const READING_COLUMNS = [
  "file",
  "root",
  "path",
  "content",
  "size_bytes",
  "format",
  "generation",
  "is_read",
  "keys",
  "session_ids",
  "diagnostics",
] as const;

interface ReadFile {
  id: number;
  content: number;
  size_bytes: number;
}

export async function putReadings(
  connection: Connection,
  readings: readonly FileReading[],
): Promise<void> {
  const rows = new Map<number, unknown[]>();
  for (const [at, file] of (await readFiles(connection, readings)).entries()) {
    const reading = readings[at];
    if (!reading || !file) {
      throw new RangeError(`A file was read and is not kept: ${reading?.path ?? ""}`);
    }
    rows.set(file.id, [file.id, reading.rootId, reading.path, ...readingOf(reading, file)]);
  }
  const conflict = replaceOn("file", READING_COLUMNS);
  const into = { table: "readings", columns: READING_COLUMNS, conflict };
  await insertRows(connection, into, [...rows.values()]);
}

function readingOf(reading: FileReading, file: ReadFile): unknown[] {
  const { format, generation, isRead, keys, sessionIds, diagnostics } = reading;
  const reported = diagnostics.length === 0 ? null : JSON.stringify(diagnostics);
  const state = [file.content, file.size_bytes, format, generation, isRead];
  return [...state, keys, sessionIds, reported];
}

/** The file states that were read; a replaced content has its negated number as id. */
async function readFiles(
  connection: Connection,
  readings: readonly FileReading[],
): Promise<(ReadFile | undefined)[]> {
  if (readings.length === 0) return [];
  const sql = `SELECT asked.position, coalesce(asked.content, files.content) AS content,
      CASE WHEN coalesce(asked.content, files.content) = files.content THEN files.id
        ELSE -asked.content END AS id,
      CASE WHEN coalesce(asked.content, files.content) = files.content THEN files.size_bytes
        ELSE coalesce((SELECT size_bytes FROM versions WHERE versions.content = asked.content
          ORDER BY id DESC LIMIT 1), 0) END AS size_bytes
    FROM unnest($1::int4[], $2::text[], $3::int8[]) WITH ORDINALITY
      AS asked (root, path, content, position)
    JOIN files ON files.id = coalesce(
      (SELECT id FROM files AS same WHERE same.root = asked.root AND same.path = asked.path),
      (SELECT file FROM contents WHERE contents.id = asked.content))`;
  const values = [
    readings.map(({ rootId }) => rootId),
    readings.map(({ path }) => path),
    readings.map(({ content = null }) => content),
  ];
  const rows = await connection.all<ReadFile & { position: number }>(sql, values);
  const files = new Map(rows.map((row) => [row.position - 1, row]));
  return readings.map((_, at) => files.get(at));
}

export async function putComparisons(
  connection: Connection,
  comparisons: readonly RootComparison[],
  nowMs: number,
): Promise<void> {
  const sql = "UPDATE roots SET looked_ms = $2, diagnostics = $3, snapshot = $4 WHERE id = $1";
  for (const { rootId, diagnostics, snapshot = null } of comparisons) {
    await connection.run(sql, [rootId, nowMs, JSON.stringify(diagnostics), snapshot]);
  }
}
