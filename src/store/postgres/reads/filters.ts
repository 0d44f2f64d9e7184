import type { CallFilter, LedgerFilter, SessionFilter } from "../../../core/filter/filter.ts";
import { isAboutCalls } from "../../../core/filter/matches.ts";
import { UNKNOWN_GROUP } from "../../../core/usage/usage-fact.ts";
import type { Scope } from "../../store.ts";
import type { Query } from "./query.ts";

/** Sessions with a file in one of the scope's roots. */
export function inScope(query: Query, scope: Scope): string {
  if (scope === "own") return "true";
  return `EXISTS (SELECT 1 FROM session_files
    JOIN roots ON roots.path = session_files.root AND roots.source = sessions.source
    WHERE session_files.session = sessions.session
      AND roots.id = ANY(${query.value(scope)}::int4[]))`;
}

/** SQL for the session filter of `core/filter/matches.ts`. */
export function whereSession(query: Query, filter: SessionFilter): void {
  whereName(query, filter.name);
  whereCalls(query, filter);
  whereProject(query, filter);
  const { sinceMs, untilMs, model, kind } = filter;
  if (sinceMs !== undefined) query.where(`sessions.last_ms >= ${query.value(sinceMs)}::float8`);
  if (untilMs !== undefined) {
    query.where(`sessions.first_ms < ${query.value(untilMs)}::float8`);
    query.where("sessions.last_ms IS NOT NULL");
  }
  if (model !== undefined) {
    const part = query.value(model.toLowerCase());
    query.where(`EXISTS (SELECT 1 FROM unnest(sessions.models) AS model
      WHERE strpos(model, ${part}) > 0)`);
  }
  if (kind !== undefined) query.where(`sessions.kind = ${query.value(kind)}`);
  whereOrigin(query, filter);
}

/** The shown title in lower case: the user's title, else the recorded one. */
export const TITLE = `coalesce((SELECT text_sorted FROM annotations WHERE
  annotations.source = sessions.source AND annotations.session = sessions.id AND message = ''
  AND annotations.kind = 'title' AND is_set), title_sorted)`;

function whereName(query: Query, name: string | undefined): void {
  if (name === undefined) return;
  const part = query.value(name.toLowerCase());
  query.where(`(strpos(${TITLE}, ${part}) > 0 OR strpos(sessions.name_folded, ${part}) > 0
    OR starts_with(sessions.id, ${query.value(name)}))`);
}

/** Sessions with a tool call that matches the whole filter. */
function whereCalls(query: Query, filter: CallFilter): void {
  if (!isAboutCalls(filter)) return;
  const { tool, server, command, outcome, path } = filter;
  const calls = ["tool_calls.session = sessions.session", "tool_calls.owner IS NULL"];
  const tools: string[] = [];
  if (tool !== undefined) {
    const has = ["name", "label", "canonical"].map((field) => {
      const member = query.value(`"${field}":${JSON.stringify(tool)}`);
      return `strpos(lower(names COLLATE "C"), lower(${member} COLLATE "C")) > 0`;
    });
    tools.push(`(${has.join(" OR ")})`);
  }
  if (server !== undefined) {
    tools.push(`strpos(names, ${query.value(`"server":${JSON.stringify(server)}`)}) > 0`);
  }
  if (tools.length > 0) {
    calls.push(`tool_calls.tool IN (SELECT id FROM tool_names WHERE ${tools.join(" AND ")})`);
  }
  if (outcome !== undefined) calls.push(`tool_calls.outcome = ${query.value(outcome)}`);
  if (command !== undefined) calls.push(`${query.value(command)} = ANY(tool_calls.commands)`);
  if (path !== undefined) calls.push(touching(query, path));
  query.where(`EXISTS (SELECT 1 FROM tool_calls WHERE ${calls.join(" AND ")})`);
}

function touching(query: Query, path: string): string {
  const whole = query.value(path);
  const ends = query.value([`/${path}`, `\\${path}`]);
  return `EXISTS (SELECT 1 FROM tool_files, LATERAL
      (SELECT coalesce(tool_files.path, tool_files.recorded) AS whole) AS named
    WHERE tool_files.session = tool_calls.session AND tool_files.call = tool_calls.position
      AND (whole = ${whole} OR right(whole, length(${whole}) + 1) = ANY(${ends}::text[])))`;
}

/** SQL for the ledger filter of `core/filter/matches.ts`, on sessions. */
export function whereLedger(query: Query, filter: LedgerFilter): void {
  whereProject(query, filter);
  whereOrigin(query, filter);
  if (filter.session === undefined) return;
  const start = query.value(filter.session);
  query.where(`(starts_with(sessions.id, ${start})
    OR starts_with(coalesce(sessions.parent, ''), ${start}) AND sessions.parent IS NOT NULL)`);
}

function whereProject(
  query: Query,
  { project, folder }: Pick<SessionFilter, "project" | "folder">,
): void {
  if (folder !== undefined) {
    const [same, ...starts] = [folder, `${folder}/`, `${folder}\\`].map((text) =>
      query.value(text),
    );
    const inside = starts.map((start) => `starts_with(sessions.project_path, ${start})`);
    query.where(`(sessions.project_path = ${same} OR ${inside.join(" OR ")})`);
  }
  if (project === undefined) return;
  const part = query.value(project.toLowerCase());
  query.where(`(strpos(sessions.name_folded, ${part}) > 0
    OR strpos(sessions.path_folded, ${part}) > 0
    OR sessions.project_hash = ${query.value(project)})`);
}

function whereOrigin(
  query: Query,
  { status, source, tag, star }: Pick<SessionFilter, "status" | "source" | "tag" | "star">,
): void {
  if (status !== undefined) query.where(`sessions.status = ${query.value(status)}`);
  if (source !== undefined) query.where(`sessions.source = ${query.value(source)}`);
  if (tag !== undefined) query.where(annotated("tag", query.value(tag)));
  if (star !== undefined) query.where(annotated("star", query.value("")));
}

/** The session itself has this annotation. */
function annotated(kind: string, tag: string): string {
  return `EXISTS (SELECT 1 FROM annotations WHERE annotations.source = sessions.source
    AND annotations.session = sessions.id AND message = '' AND annotations.kind = '${kind}'
    AND tag = ${tag} AND is_set)`;
}

/** A column of times, in units of so many milliseconds. */
export interface TimeColumn {
  column: string;
  unitMs: number;
}

/** Conditions on replies or calls. The table `models` must be joined under its own name. */
export function whereRecord(query: Query, filter: LedgerFilter, time: TimeColumn): void {
  if (filter.model !== undefined) {
    const part = query.value(filter.model.toLowerCase());
    query.where(`strpos(coalesce(models.folded, '${UNKNOWN_GROUP}'), ${part}) > 0`);
  }
  whereWithin(query, filter, time);
}

/**
 * Limits rows to a period; rows without a time are in no period. The bare column is compared with
 * whole numbers: the planner then knows how many rows there are, and can use an index.
 */
export function whereWithin(
  query: Query,
  { sinceMs, untilMs }: Pick<LedgerFilter, "sinceMs" | "untilMs">,
  { column, unitMs }: TimeColumn,
): void {
  const bound = (ms: number): string => `${query.value(wholeUnits(ms, unitMs))}::int8`;
  if (sinceMs !== undefined) query.where(`${column} >= ${bound(sinceMs)}`);
  if (untilMs !== undefined) query.where(`${column} < ${bound(untilMs)}`);
}

/** The first whole unit at or after a time, which may be infinite. */
function wholeUnits(ms: number, unitMs: number): number {
  const { MAX_SAFE_INTEGER: most } = Number;
  return Math.min(most, Math.max(-most, Math.ceil(ms / unitMs)));
}
