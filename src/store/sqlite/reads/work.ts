import type { SessionWork, SessionWorkRow } from "../../../core/rows/session-work.ts";
import { repliesFrom } from "../../work-replies.ts";
import type { Database } from "../database.ts";
import { inClause } from "../sql.ts";
import { MESSAGE } from "./replies.ts";

interface WorkRow {
  source: string;
  id: string;
  project_path: string | null;
  started_ms: number | null;
  work: string | null;
  replies: string;
}

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
  return database.all<WorkRow>(sql, ...listed.values).map((row) => ({
    source: row.source,
    id: row.id,
    projectPath: row.project_path,
    startedMs: row.started_ms,
    work: row.work === null ? null : (JSON.parse(row.work) as SessionWork),
    replies: repliesFrom(row.replies.replace(NUL, "\\u0000")),
  }));
}
