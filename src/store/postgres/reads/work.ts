import type { SessionWorkRow } from "../../../core/rows/session-work.ts";
import type { WorkRow } from "../../work-rows.ts";
import { workFrom } from "../../work-rows.ts";
import type { Connection } from "../connection.ts";
import { fromStored } from "../stored-text.ts";

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
  return rows.map((row) => workFrom(row, fromStored));
}
