import type { SessionWork, SessionWorkRow } from "../../../core/rows/session-work.ts";
import { repliesFrom } from "../../work-replies.ts";
import type { Connection } from "../connection.ts";
import { fromStored } from "../stored-text.ts";

interface WorkRow {
  source: string;
  id: string;
  project_path: string | null;
  started_ms: number | null;
  work: string | null;
  replies: string | null;
}

/** In the order of `ReplyList`. */
const REPLY = `json_build_array(replies.position, coalesce(replies.message, replies.reply),
  replies.at_ms, models.recorded, replies.standing, replies.purpose, replies.tier, replies.input,
  replies.fresh, replies.cached, replies.cache_write_5m, replies.cache_write_1h, replies.output,
  replies.thoughts, replies.tool, replies.total, replies.web_searches)`;

export async function findWork(
  connection: Connection,
  sessionIds: readonly string[],
): Promise<SessionWorkRow[]> {
  const sql = `SELECT source, id, project_path, started_ms, work,
      (SELECT json_agg(${REPLY})::text FROM replies
        LEFT JOIN models ON models.id = replies.model
        WHERE replies.session = sessions.session AND replies.owner IS NULL) AS replies
    FROM sessions WHERE id = ANY($1::text[])`;
  const rows = await connection.all<WorkRow>(sql, [sessionIds]);
  return rows.map((row) => ({
    source: row.source,
    id: row.id,
    projectPath: row.project_path,
    startedMs: row.started_ms,
    work: row.work === null ? null : (JSON.parse(row.work) as SessionWork),
    replies: repliesFrom(row.replies ?? "[]", fromStored),
  }));
}
