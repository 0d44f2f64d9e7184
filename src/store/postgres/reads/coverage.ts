import type { FileCount, StoredCoverage } from "../../../core/files/coverage.ts";
import type { Diagnostic } from "../../../core/files/diagnostic.ts";
import type { ProjectAnswer, SessionSummary } from "../../../core/rows/summary.ts";
import type { FileRole } from "../../../core/files/session-file.ts";
import { mergeProjects } from "../../merge-projects.ts";
import type { CoverageQuery } from "../../store.ts";
import type { Connection } from "../connection.ts";
import { REPLACED_STATE } from "../files.ts";
import { inScope } from "./filters.ts";
import { Query } from "./query.ts";

export async function coverageOf(
  connection: Connection,
  asked: CoverageQuery,
): Promise<StoredCoverage> {
  return {
    files: await countFiles(connection, asked),
    ...(await countSessions(connection, asked)),
    projects: await countProjects(connection, asked),
    diagnostics: await diagnosticsOf(connection, asked),
  };
}

/** Conditions for the selected roots, on the table `roots`. */
function whereRoots(query: Query, { scope, source }: CoverageQuery): void {
  if (scope === "own") query.where("roots.how <> 'visited'");
  else query.where(`roots.id = ANY(${query.value(scope)}::int4[])`);
  if (source !== undefined) query.where(`roots.source = ${query.value(source)}`);
}

function whereSessions(query: Query, { scope, source }: CoverageQuery): void {
  query.where(inScope(query, scope));
  if (source !== undefined) query.where(`sessions.source = ${query.value(source)}`);
}

interface FileRow {
  source: string;
  root: string;
  role: FileRole;
  format: string;
  generation: string;
  is_read: boolean;
  is_gone: boolean;
  files: number;
}

async function countFiles(connection: Connection, asked: CoverageQuery): Promise<FileCount[]> {
  const query = new Query();
  whereRoots(query, asked);
  const sql = `SELECT roots.source, roots.path AS root, files.role, readings.format,
      readings.generation, readings.is_read, files.gone_since_ms IS NOT NULL AS is_gone,
      count(*) AS files
    FROM readings JOIN roots ON roots.id = readings.root JOIN files ON files.id = readings.file
    WHERE ${query.conditions} GROUP BY 1, 2, 3, 4, 5, 6, 7 ORDER BY min(files.id)`;
  const rows = await connection.all<FileRow>(sql, query.values);
  return rows.map(({ is_read: isRead, is_gone: isGone, files, ...row }) => {
    return { ...row, isRead, isGone, files };
  });
}

type SessionCounts = Pick<StoredCoverage, "parts" | "sessions" | "goneSessions">;

async function countSessions(connection: Connection, asked: CoverageQuery): Promise<SessionCounts> {
  const query = new Query();
  whereSessions(query, asked);
  const parts = await connection.all<SessionCounts["parts"][number]>(
    `SELECT part, count(*) AS files FROM session_files JOIN sessions USING (session)
    WHERE ${query.conditions} GROUP BY part ORDER BY files DESC, part`,
    query.values,
  );
  type Kinds = { source: string; kind: SessionSummary["kind"]; sessions: number };
  const sessions = await connection.all<Kinds>(
    `SELECT source, kind, count(*) AS sessions FROM sessions
    WHERE ${query.conditions} GROUP BY source, kind ORDER BY source, kind`,
    query.values,
  );
  const [gone] = await connection.all<{ sessions: number }>(
    goneSessions(query.conditions),
    query.values,
  );
  return { parts, sessions, goneSessions: gone?.sessions ?? 0 };
}

/** Counts sessions whose files are all deleted; stubs count only if there is no other file. */
function goneSessions(conditions: string): string {
  const gone = `(CASE WHEN files.id IS NULL THEN coalesce(replaced.gone_since_ms,
    session_files.gone_since_ms) ELSE files.gone_since_ms END IS NOT NULL)`;
  const isStub = "session_files.part = 'stub'";
  return `SELECT count(*) AS sessions FROM (
      SELECT sessions.session FROM sessions
      JOIN session_files ON session_files.session = sessions.session
      LEFT JOIN LATERAL (SELECT id, gone_since_ms FROM files
        WHERE files.path = session_files.path ORDER BY id DESC LIMIT 1) AS files ON true
      LEFT JOIN LATERAL (${REPLACED_STATE}
        WHERE contents.id = substring(session_files.path FROM '\\.replaced-([0-9]{1,18})$')::int8
      ) AS replaced ON true
      WHERE ${conditions} GROUP BY sessions.session
      HAVING CASE WHEN bool_and(${isStub}) THEN bool_and${gone}
        ELSE bool_and${gone} FILTER (WHERE NOT ${isStub}) END
    ) AS gone`;
}

async function countProjects(
  connection: Connection,
  asked: CoverageQuery,
): Promise<StoredCoverage["projects"]> {
  const query = new Query();
  whereSessions(query, asked);
  const sql = `SELECT sessions.project_answer AS project, count(*) AS sessions
    FROM sessions WHERE ${query.conditions} GROUP BY sessions.project_answer`;
  const rows = await connection.all<{ project: string; sessions: number }>(sql, query.values);
  return mergeProjects(
    rows.map(({ project, sessions }) => {
      return { project: JSON.parse(project) as ProjectAnswer, sessions };
    }),
  );
}

async function diagnosticsOf(connection: Connection, asked: CoverageQuery): Promise<Diagnostic[]> {
  const query = new Query();
  whereRoots(query, asked);
  type Row = { diagnostics: string };
  const ofRoots = await connection.all<Row>(
    `SELECT diagnostics FROM roots WHERE ${query.conditions} ORDER BY id`,
    query.values,
  );
  const ofFiles = await connection.all<Row>(
    `SELECT readings.diagnostics FROM readings JOIN roots ON roots.id = readings.root
    WHERE ${query.conditions} AND readings.diagnostics IS NOT NULL ORDER BY readings.file`,
    query.values,
  );
  return [...ofRoots, ...ofFiles].flatMap(({ diagnostics }) => {
    return JSON.parse(diagnostics) as Diagnostic[];
  });
}
