import type { LedgerFilter, SessionFilter } from "../../core/filter.ts";
import { UNKNOWN_GROUP } from "../../core/usage-fact.ts";
import type { Scope } from "../store.ts";
import type { Query } from "./query.ts";

/** Sessions that lie in one of the roots. */
export function inScope(query: Query, scope: Scope): string {
  if (scope === "own") return "true";
  return `EXISTS (SELECT 1 FROM session_files
    JOIN roots ON roots.path = session_files.root AND roots.source = sessions.source
    WHERE session_files.session = sessions.session
      AND roots.id = ANY(${query.value(scope)}::int4[]))`;
}

/** What `core/matches.ts` says of a session in a list. */
export function whereSession(query: Query, filter: SessionFilter): void {
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

/** What it says of a session whose replies or calls are counted. */
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

/** A person put this on the session itself. */
function annotated(kind: string, tag: string): string {
  return `EXISTS (SELECT 1 FROM annotations WHERE annotations.source = sessions.source
    AND annotations.session = sessions.id AND message = '' AND annotations.kind = '${kind}'
    AND tag = ${tag} AND is_set)`;
}

/** Which replies or calls of these sessions are meant. `models` is joined under its own name. */
export function whereRecord(query: Query, filter: LedgerFilter, time: string): void {
  if (filter.model !== undefined) {
    const part = query.value(filter.model.toLowerCase());
    query.where(`strpos(coalesce(models.folded, '${UNKNOWN_GROUP}'), ${part}) > 0`);
  }
  whereWithin(query, filter, time);
}

/** What has no time lies within no period. */
export function whereWithin(
  query: Query,
  { sinceMs, untilMs }: Pick<LedgerFilter, "sinceMs" | "untilMs">,
  time: string,
): void {
  if (sinceMs !== undefined) query.where(`${time} >= ${query.value(sinceMs)}::float8`);
  if (untilMs !== undefined) query.where(`${time} < ${query.value(untilMs)}::float8`);
}
