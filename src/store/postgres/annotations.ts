import type { Annotation, AnnotationChange } from "../../core/session/annotation.ts";
import { tagOf } from "../../core/session/annotation.ts";
import type { AnnotationRow } from "../row-values.ts";
import { annotationsFrom, sortable } from "../row-values.ts";
import type { AnnotationQuery } from "../store.ts";
import type { Connection } from "./connection.ts";
import { insertRows } from "./derived/insert.ts";

const COLUMNS = "source session message kind tag text text_sorted is_set changed_ms".split(" ");

/** The later change wins, in whatever order the changes arrive. */
const LATER = `ON CONFLICT (source, session, message, kind, tag, person) DO UPDATE
  SET text = excluded.text, text_sorted = excluded.text_sorted, is_set = excluded.is_set,
    changed_ms = excluded.changed_ms WHERE excluded.changed_ms >= annotations.changed_ms`;

export async function annotate(
  connection: Connection,
  changes: readonly AnnotationChange[],
  nowMs: number,
): Promise<void> {
  // One by one: a single statement must not change a row twice.
  for (const change of changes) {
    const { source, sessionId, messageId = "", kind, text, how } = change;
    const on = [source, sessionId, messageId, kind, tagOf(change)];
    const row = [...on, text, sortable(text), how === "set", nowMs];
    await insertRows(connection, { table: "annotations", columns: COLUMNS, conflict: LATER }, [
      row,
    ]);
  }
}

export async function annotationsOf(
  connection: Connection,
  { sessionIds }: AnnotationQuery,
): Promise<Annotation[]> {
  const among = sessionIds ? " AND session = ANY($1::text[])" : "";
  const sql = `SELECT source, session, message, kind, text, changed_ms FROM annotations
    WHERE is_set${among}`;
  const rows = await connection.all<AnnotationRow>(sql, sessionIds ? [sessionIds] : []);
  return annotationsFrom(rows);
}
