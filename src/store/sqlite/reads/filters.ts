import type { CallFilter, LedgerFilter, SessionFilter } from "../../../core/filter/filter.ts";
import { isAboutCalls } from "../../../core/filter/matches.ts";
import type { Scope } from "../../store.ts";
import type { Value } from "../driver.ts";
import { placeholders } from "../sql.ts";

/** SQL conditions with their values, joined by AND. */
export class Conditions {
  readonly #texts: string[] = [];
  readonly values: Value[] = [];

  add(text: string, ...values: readonly Value[]): this {
    this.#texts.push(text);
    this.values.push(...values);
    return this;
  }

  and(others: Conditions): Conditions {
    const both = new Conditions();
    both.#texts.push(...this.#texts, ...others.#texts);
    both.values.push(...this.values, ...others.values);
    return both;
  }

  get isEmpty(): boolean {
    return this.#texts.length === 0;
  }

  /** ` WHERE a AND b`, or an empty string. */
  get where(): string {
    return this.isEmpty ? "" : ` WHERE ${this.#texts.join(" AND ")}`;
  }
}

/** Conditions of a session filter; the sessions table has the alias `s`. */
export function sessionConditions(scope: Scope, filter: SessionFilter = {}): Conditions {
  const conditions = new Conditions();
  addScope(conditions, scope);
  addCommon(conditions, filter);
  const { name, model, kind, sinceMs, untilMs } = filter;
  if (name !== undefined) {
    const part = likePattern(name);
    conditions.add(
      `(${TITLE} LIKE ? ESCAPE '\\' OR s.project_name_folded LIKE ? ESCAPE '\\'
        OR ${startsWith("s.id")})`,
      part,
      part,
      Array.from(name).length,
      name,
    );
  }
  addCalls(conditions, filter);
  if (model !== undefined) {
    conditions.add("s.models_folded LIKE ? ESCAPE '\\'", likePattern(model));
  }
  if (kind !== undefined) conditions.add("s.kind = ?", kind);
  addActive(conditions, { sinceMs, untilMs });
  return conditions;
}

/** The shown title in lower case: the user's title, else the recorded one. */
export const TITLE = `coalesce((SELECT a.text_sorted FROM annotations AS a WHERE
  a.source = s.source AND a.session = s.id AND a.message = '' AND a.kind = 'title'
  AND a.is_set = 1), s.title_folded)`;

/** The absolute path of a touched file: the project's path is prepended to a relative one. */
export function wholePath(file: string, session: string): string {
  return `CASE WHEN ${file}.is_relative = 1 AND ${session}.project_path IS NOT NULL
    THEN ${session}.project_path || ${session}.path_separator || ${file}.path ELSE ${file}.path END`;
}

const OF_PATH = `(c.session, c.position) IN (SELECT session, call FROM (
  SELECT f.session, f.call, ${wholePath("f", "p")} AS path FROM tool_files AS f
  JOIN sessions AS p ON p.key = f.session) WHERE path = ? OR substr(path, ?) IN (?, ?))`;
const OF_COMMAND = `(c.session, c.position) IN
  (SELECT session, call FROM tool_commands WHERE command = ?)`;
const OF_TOOL =
  "(n.name = ? COLLATE NOCASE OR n.label = ? COLLATE NOCASE OR n.canonical = ? COLLATE NOCASE)";

/** Sessions with a tool call that matches the whole filter. */
function addCalls(conditions: Conditions, filter: CallFilter): void {
  if (!isAboutCalls(filter)) return;
  const { tool, server, command, outcome, path } = filter;
  const calls = new Conditions().add("c.is_owner = 1");
  if (tool !== undefined) calls.add(OF_TOOL, tool, tool, tool);
  if (server !== undefined) calls.add("n.server = ?", server);
  if (outcome !== undefined) calls.add("c.outcome = ?", outcome);
  if (command !== undefined) calls.add(OF_COMMAND, command);
  if (path !== undefined) {
    calls.add(OF_PATH, path, -Array.from(path).length - 1, `/${path}`, `\\${path}`);
  }
  const names = tool ?? server;
  const joined = names === undefined ? "" : " JOIN tool_names AS n ON n.id = c.tool";
  const sql = `s.key IN (SELECT c.session FROM tool_calls AS c${joined}${calls.where})`;
  conditions.add(sql, ...calls.values);
}

/** Conditions of a ledger filter on sessions. */
export function ledgerConditions(scope: Scope, filter: LedgerFilter): Conditions {
  const conditions = new Conditions();
  addScope(conditions, scope);
  addCommon(conditions, filter);
  const { session } = filter;
  if (session !== undefined) {
    const length = Array.from(session).length;
    const [id, parent] = [startsWith("s.id"), startsWith("s.parent")];
    conditions.add(`(${id} OR ${parent})`, length, session, length, session);
  }
  return conditions;
}

/** Sessions active at or after `sinceMs` and started before `untilMs`. */
export function addActive(
  conditions: Conditions,
  { sinceMs, untilMs }: { sinceMs?: number | undefined; untilMs?: number | undefined },
): void {
  if (sinceMs !== undefined) conditions.add("s.last_ms >= ?", sinceMs);
  if (untilMs !== undefined) conditions.add("s.first_ms < ? AND s.last_ms IS NOT NULL", untilMs);
}

function addScope(conditions: Conditions, scope: Scope): void {
  if (scope === "own") return;
  const roots = placeholders(scope.length);
  conditions.add(`s.key IN (SELECT session FROM session_files WHERE root IN (${roots}))`, ...scope);
}

const ANNOTATED = `EXISTS (SELECT 1 FROM annotations AS a WHERE a.source = s.source
  AND a.session = s.id AND a.message = '' AND a.kind = ? AND a.tag = ? AND a.is_set = 1)`;

function addCommon(conditions: Conditions, filter: SessionFilter | LedgerFilter): void {
  const { project, folder, status, source, tag, star } = filter;
  if (project !== undefined) {
    const part = likePattern(project);
    conditions.add("(s.project_folded LIKE ? ESCAPE '\\' OR s.project_hash = ?)", part, project);
  }
  if (folder !== undefined) {
    const inside = `substr(s.project_path, 1, ?) IN (?, ?)`;
    const length = Array.from(folder).length + 1;
    const starts = [`${folder}/`, `${folder}\\`];
    conditions.add(`(s.project_path = ? OR ${inside})`, folder, length, ...starts);
  }
  if (status !== undefined) conditions.add("s.status = ?", status);
  if (source !== undefined) conditions.add("s.source = ?", source);
  if (tag !== undefined) conditions.add(ANNOTATED, "tag", tag);
  if (star !== undefined) conditions.add(ANNOTATED, "star", "");
}

export function addModel(conditions: Conditions, table: string, model: string | undefined): void {
  if (model === undefined) return;
  conditions.add(
    `lower(coalesce(${table}.model, 'unknown')) LIKE ? ESCAPE '\\'`,
    likePattern(model),
  );
}

/** `SUBSTR(column, 1, length) = start`; LIKE in SQLite ignores case. */
export function startsWith(column: string): string {
  return `substr(${column}, 1, ?) = ?`;
}

/** A LIKE pattern for a lower-case column. */
function likePattern(part: string): string {
  return `%${part.toLowerCase().replace(/[\\%_]/g, "\\$&")}%`;
}
