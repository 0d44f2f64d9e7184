import type { FileCount, StoredCoverage } from "../../../core/files/coverage.ts";
import type { Diagnostic } from "../../../core/files/diagnostic.ts";
import type { ProjectEvidence } from "../../../core/session/project.ts";
import { mergeProjects } from "../../merge-projects.ts";
import type { CoverageQuery } from "../../store.ts";
import type { Database } from "../database.ts";
import { Conditions, sessionConditions } from "./filters.ts";
import { placeholders } from "../sql.ts";

/** Caches coverage until the next write, because every list and sum includes it. */
export class Coverages {
  readonly #database: Database;
  readonly #known = new Map<string, StoredCoverage>();
  #state = "";

  constructor(database: Database) {
    this.#database = database;
  }

  of(query: CoverageQuery): StoredCoverage {
    const { state } = this.#database;
    if (state !== this.#state) this.#known.clear();
    this.#state = state;
    const key = JSON.stringify([query.scope, query.source ?? null]);
    const known = this.#known.get(key) ?? coverageOf(this.#database, query);
    this.#known.set(key, known);
    return structuredClone(known);
  }
}

/** Counts all files and sessions; lists every diagnostic. */
function coverageOf(database: Database, query: CoverageQuery): StoredCoverage {
  return {
    files: filesOf(database, query),
    parts: partsOf(database, query),
    sessions: sessionsOf(database, query),
    goneSessions: goneSessions(database, query),
    projects: projectsOf(database, query),
    diagnostics: diagnosticsOf(database, query),
  };
}

/** Readings of replaced contents have their negated number as id. */
const READ_FILES = `readings LEFT JOIN streams ON streams.id = -readings.file
  JOIN files ON files.id = coalesce(streams.file, readings.file) JOIN roots ON roots.id = files.root`;

function rootConditions({ scope, source }: CoverageQuery): Conditions {
  const conditions = new Conditions();
  if (scope === "own") conditions.add("roots.how <> 'visited'");
  else conditions.add(`roots.id IN (${placeholders(scope.length)})`, ...scope);
  if (source !== undefined) conditions.add("roots.source = ?", source);
  return conditions;
}

function aboutSessions({ scope, source }: CoverageQuery): Conditions {
  return sessionConditions(scope, source === undefined ? {} : { source });
}

type FileRow = Omit<FileCount, "isRead" | "isGone"> & { is_read: number; is_gone: number };

function filesOf(database: Database, query: CoverageQuery): FileCount[] {
  const conditions = rootConditions(query);
  // Group by root id first, so that root names are joined to few rows. Both indexes are covering.
  const sql = `SELECT roots.source AS source, roots.path AS root, role, format, generation, is_read,
    is_gone, files FROM (SELECT files.root AS root, files.role AS role, readings.format AS format,
    readings.generation AS generation, readings.is_read AS is_read,
    files.gone_since_ms IS NOT NULL AS is_gone, count(*) AS files
    FROM files INDEXED BY files_state JOIN readings INDEXED BY readings_state
    ON readings.file = files.id GROUP BY 1, 2, 3, 4, 5, 6) AS counted
    JOIN roots ON roots.id = counted.root${conditions.where}`;
  return database.all<FileRow>(sql, ...conditions.values).map((row) => {
    const { is_read: read, is_gone: gone, files, ...file } = row;
    return { ...file, isRead: read === 1, isGone: gone === 1, files };
  });
}

function partsOf(database: Database, query: CoverageQuery): StoredCoverage["parts"] {
  const conditions = aboutSessions(query);
  const join = conditions.isEmpty ? "" : " JOIN sessions AS s ON s.key = f.session";
  const sql = `SELECT part, count(*) AS files FROM session_files AS f${join}${conditions.where}
    GROUP BY part`;
  return database.all<{ part: string; files: number }>(sql, ...conditions.values).map((row) => ({
    ...row,
  }));
}

function sessionsOf(database: Database, query: CoverageQuery): StoredCoverage["sessions"] {
  const conditions = aboutSessions(query);
  const sql = `SELECT s.source AS source, s.kind AS kind, count(*) AS sessions FROM sessions AS s
    ${conditions.where} GROUP BY s.source, s.kind`;
  type Row = StoredCoverage["sessions"][number];
  return database.all<Row>(sql, ...conditions.values).map((row) => ({ ...row }));
}

/** Sessions with at least one deleted file. */
const HAS_GONE = `f.session IN (SELECT session FROM session_files WHERE file IN
  (SELECT id FROM files WHERE gone_since_ms IS NOT NULL)
  UNION SELECT session FROM session_files WHERE file IS NULL AND gone_since_ms IS NOT NULL)`;

/**
 * Counts sessions whose files are all deleted. Stubs hold no content, so they count only if a
 * session has no other file.
 */
function goneSessions(database: Database, query: CoverageQuery): number {
  const conditions = aboutSessions(query);
  const isGone = `(CASE WHEN f.file IS NULL THEN f.gone_since_ms ELSE files.gone_since_ms END)
    IS NOT NULL`;
  const sql = `SELECT count(*) AS n FROM (SELECT f.session,
    sum(CASE WHEN f.part <> 'stub' THEN 1 ELSE 0 END) AS telling,
    sum(CASE WHEN f.part <> 'stub' AND NOT ${isGone} THEN 1 ELSE 0 END) AS there,
    sum(CASE WHEN NOT ${isGone} THEN 1 ELSE 0 END) AS any_there
    FROM session_files AS f JOIN sessions AS s ON s.key = f.session
    LEFT JOIN files ON files.id = f.file${conditions.add(HAS_GONE).where} GROUP BY f.session) AS counted
    WHERE CASE WHEN telling > 0 THEN there ELSE any_there END = 0`;
  return database.get<{ n: number }>(sql, ...conditions.values)?.n ?? 0;
}

interface ProjectRow {
  project_name: string;
  project_path: string | null;
  project_hash: string | null;
  project_known_by: ProjectEvidence;
  sessions: number;
}

function projectsOf(database: Database, query: CoverageQuery): StoredCoverage["projects"] {
  const conditions = aboutSessions(query);
  const columns = "project_name, project_path, project_hash, project_known_by";
  const sql = `SELECT ${columns}, count(*) AS sessions FROM sessions AS s${conditions.where}
    GROUP BY ${columns}`;
  const rows = database.all<ProjectRow>(sql, ...conditions.values);
  return mergeProjects(
    rows.map((row) => {
      const { project_name: name, project_path: path, project_hash: hash } = row;
      return {
        project: { name, path, hash, knownBy: row.project_known_by },
        sessions: row.sessions,
      };
    }),
  );
}

function diagnosticsOf(database: Database, query: CoverageQuery): Diagnostic[] {
  const conditions = rootConditions(query);
  const ofRoots = `SELECT diagnostics FROM roots${conditions.where} ORDER BY id`;
  const roots = database.all<{ diagnostics: string }>(ofRoots, ...conditions.values);
  const ofFiles = `SELECT readings.diagnostics FROM ${READ_FILES}
    ${conditions.add("readings.diagnostics IS NOT NULL").where} ORDER BY readings.file`;
  const files = database.all<{ diagnostics: string }>(ofFiles, ...conditions.values);
  return [...roots, ...files].flatMap(({ diagnostics }) => JSON.parse(diagnostics) as Diagnostic[]);
}
