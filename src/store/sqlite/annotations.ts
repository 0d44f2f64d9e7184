import type { Annotation, AnnotationChange } from "../../core/session/annotation.ts";
import { tagOf } from "../../core/session/annotation.ts";
import type { AnnotationRow } from "../row-values.ts";
import { annotationsFrom, sortable } from "../row-values.ts";
import type { AnnotationQuery } from "../store.ts";
import type { Database } from "./database.ts";
import type { Value } from "./driver.ts";
import { inClause, placeholders } from "./sql.ts";

const COLUMNS = "source, session, message, kind, tag, text, text_sorted, is_set, changed_ms";

/** The later change wins, in whatever order the changes arrive. */
const PUT = `INSERT INTO annotations (${COLUMNS}) VALUES (${placeholders(9)})
  ON CONFLICT DO UPDATE SET text = excluded.text, text_sorted = excluded.text_sorted,
  is_set = excluded.is_set, changed_ms = excluded.changed_ms
  WHERE excluded.changed_ms >= annotations.changed_ms`;

export function annotate(
  database: Database,
  changes: readonly AnnotationChange[],
  nowMs: number,
): void {
  database.write(() => {
    for (const change of changes) {
      const { source, sessionId, messageId = "", kind, text, how } = change;
      const on = [source, sessionId, messageId, kind, tagOf(change)] as const;
      database.run(PUT, ...on, text, sortable(text), how === "set" ? 1 : 0, nowMs);
    }
  });
}

export function annotationsOf(database: Database, { sessionIds }: AnnotationQuery): Annotation[] {
  const among = sessionIds && inClause(sessionIds);
  const sql = `SELECT source, session, message, kind, text, changed_ms FROM annotations
    WHERE is_set = 1${among ? ` AND session IN ${among.sql}` : ""}`;
  return annotationsFrom(database.all<AnnotationRow>(sql, ...(among?.values ?? [])));
}

/** Imports annotations from another archive; later changes in this one win. */
export function importAnnotations(into: Database, from: Database): void {
  type Row = Record<string, Value>;
  for (const row of from.each<Row>(`SELECT ${COLUMNS} FROM annotations`)) {
    into.run(PUT, ...Object.values(row));
  }
}
