import type { SessionWorkRow } from "../../../core/rows/session-work.ts";
import type { WorkRow } from "../../work-rows.ts";
import { workFrom } from "../../work-rows.ts";
import type { Database } from "../database.ts";
import { inClause } from "../sql.ts";
import { MESSAGE } from "./replies.ts";

/** In the order of `ReplyList`. As one text per session, replies are read ten times as fast. */
const REPLY = `json_array(r.position, ${MESSAGE}, CASE WHEN r.is_own_time = 1 THEN r.time_ms END,
  coalesce(r.model_text, r.model), r.standing, r.purpose, r.tier, r.input, r.fresh, r.cached,
  r.cache_write_5m, r.cache_write_1h, r.output, r.thoughts, r.tool, r.total, r.web_searches)`;

/** SQLite does not escape it in JSON. */
const NUL = /\0/g;

export function findWork(database: Database, sessionIds: readonly string[]): SessionWorkRow[] {
  const listed = inClause(sessionIds);
  const sql = `SELECT s.source, s.id, s.project_path, s.started_ms, d.work,
      (SELECT json_group_array(${REPLY}) FROM replies AS r
        WHERE r.session = s.key AND r.is_owner = 1) AS replies
    FROM sessions AS s JOIN session_details AS d ON d.session = s.key
    WHERE s.id IN ${listed.sql}`;
  return database.all<WorkRow>(sql, ...listed.values).map((row) => {
    return workFrom({ ...row, replies: row.replies?.replace(NUL, "\\u0000") ?? null });
  });
}
