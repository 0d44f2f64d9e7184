import type { Project } from "../../../core/session/project.ts";
import type { SessionRow, SessionRows } from "../../../core/rows/session-rows.ts";
import { copyRank } from "../../../core/session/links.ts";
import { projectAnswer } from "../../../core/rows/summarise.ts";
import type { ProjectAnswer } from "../../../core/rows/summary.ts";
import type { FileState } from "../../file-state.ts";
import { withFileStates } from "../../file-state.ts";
import { relativePath } from "../../paths.ts";
import { msOf, generationsOf, sortable } from "../../row-values.ts";
import type { SessionRef } from "../../store.ts";
import { separatorOf } from "../../../core/rows/touched-file.ts";
import type { Database } from "../database.ts";
import { OF_SESSIONS } from "./derived-schema.ts";
import type { Value } from "../driver.ts";
import { Owners } from "./owners.ts";
import { Parents } from "./parents.ts";
import { replacedState } from "../bytes/replaced-contents.ts";
import { putReplies } from "./write-replies.ts";
import { insertInto } from "../sql.ts";
import { ToolWriter } from "./write-tools.ts";

/**
 * Writes session rows inside one transaction. What depends on other sessions (owners of replies,
 * parents) is settled in `finish` for all sessions that were touched.
 */
export class SessionWriter {
  readonly #database: Database;
  readonly #tools: ToolWriter;
  readonly #owners: Owners;
  readonly #parents: Parents;
  readonly #rootIds: ReadonlyMap<string, number>;

  constructor(database: Database) {
    this.#database = database;
    this.#tools = new ToolWriter(database);
    this.#owners = new Owners(database);
    this.#parents = new Parents(database);
    const roots = database.all<{ id: number; source: string; path: string }>(
      "SELECT id, source, path FROM roots WHERE how <> 'visited' ORDER BY id DESC",
    );
    this.#rootIds = new Map(roots.map(({ id, source, path }) => [`${source}\n${path}`, id]));
  }

  put(given: SessionRows): void {
    const rows = { ...given, ...withFileStates(given, (path) => this.#replacedState(path)) };
    const { source, id } = rows.summary;
    const known = this.#keyOf({ source, id });
    if (known !== undefined) this.#clear(known);
    const columns = columnsOf(rows);
    const key = known === undefined ? this.#insert(columns) : this.#update(known, columns);
    const details = insertInto("session_details", ["session", "summary", "facts"]);
    const { summary, session } = rows;
    this.#database.run(details, key, JSON.stringify(summary), JSON.stringify(session));
    const places = insertInto("session_places", ["session", "updated_at", "files"]);
    this.#database.run(places, key, summary.updatedAt, JSON.stringify(session.files));
    this.#putFiles(key, rows);
    putReplies(this.#database, key, rows);
    this.#tools.put(key, rows);
    this.#parents.putCalls(key, rows.agentCalls);
    this.#owners.touch(key);
    this.#parents.touch(key);
  }

  drop(session: SessionRef): void {
    const key = this.#keyOf(session);
    if (key === undefined) return;
    this.#clear(key);
    this.#parents.leave(key);
    this.#database.run("DELETE FROM sessions WHERE key = ?", key);
  }

  rename(session: SessionRef, project: Project): void {
    const key = this.#keyOf(session);
    if (key === undefined) return;
    const sql = "SELECT summary, facts FROM session_details WHERE session = ?";
    const row = this.#database.get<{ summary: string; facts: string }>(sql, key);
    const answer = projectAnswer(project);
    const summary = { ...(JSON.parse(row?.summary ?? "{}") as object), project: answer };
    const facts = { ...(JSON.parse(row?.facts ?? "{}") as object), project };
    this.#update(key, projectColumns(answer));
    const update = "UPDATE session_details SET summary = ?, facts = ? WHERE session = ?";
    this.#database.run(update, JSON.stringify(summary), JSON.stringify(facts), key);
  }

  /** Call when all rows of the batch are written. */
  finish(): void {
    this.#owners.settle();
    this.#parents.settle();
  }

  #keyOf({ source, id }: SessionRef): number | undefined {
    const sql = "SELECT key FROM sessions WHERE source = ? AND id = ?";
    return this.#database.get<{ key: number }>(sql, source, id)?.key;
  }

  /** Removes a session's rows; records that it shares with other sessions are settled again. */
  #clear(key: number): void {
    this.#owners.leave(key);
    this.#parents.leaveCalls(key);
    for (const table of OF_SESSIONS) {
      this.#database.run(`DELETE FROM ${table} WHERE session = ?`, key);
    }
  }

  #insert(columns: Columns): number {
    const sql = insertInto("sessions", ["top", "revision", ...columns.map(([name]) => name)]);
    return this.#database.run(sql, 0, 1, ...columns.map(([, value]) => value)).id;
  }

  #update(key: number, columns: Columns): number {
    const set = columns.map(([name]) => `${name} = ?`).join(", ");
    const values = columns.map(([, value]) => value);
    const sql = `UPDATE sessions SET revision = revision + 1, ${set} WHERE key = ?`;
    this.#database.run(sql, ...values, key);
    return key;
  }

  #putFiles(key: number, { summary, session }: SessionRow): void {
    const sql = insertInto("session_files", FILE_COLUMNS);
    for (const [position, file] of session.files.entries()) {
      const { root, part, isCleaned, lastAt, modifiedMs, goneSinceMs = null } = file;
      const rootId = this.#rootIds.get(`${summary.source}\n${root}`) ?? null;
      const id = rootId === null ? null : this.#fileId(rootId, relativePath(root, file.path));
      const place = [key, position, id, rootId, root, part] as const;
      const times = [msOf(lastAt), modifiedMs, goneSinceMs] as const;
      this.#database.run(sql, ...place, isCleaned ? 1 : 0, ...times);
    }
  }

  /** State of a replaced content, which never changes again. */
  #replacedState(path: string): FileState | undefined {
    const content = /\.replaced-(\d+)$/.exec(path)?.[1];
    return content === undefined ? undefined : replacedState(this.#database, Number(content));
  }

  #fileId(root: number, path: string): number | null {
    const sql = "SELECT id FROM files WHERE root = ? AND path = ?";
    return this.#database.get<{ id: number }>(sql, root, path)?.id ?? null;
  }
}

const FILE_COLUMNS = [
  "session",
  "position",
  "file",
  "root",
  "root_path",
  "part",
  "is_cleaned",
  "last_ms",
  "modified_ms",
  "gone_since_ms",
];

type Columns = [name: string, value: Value][];

function columnsOf(rows: SessionRows): Columns {
  const { summary, session } = rows;
  const [started, updated] = [msOf(summary.startedAt), msOf(summary.updatedAt)];
  return [
    ["source", summary.source],
    ["id", summary.id],
    ["ledger_name", session.ledgerName],
    ["kind", summary.kind],
    ["status", summary.status],
    ...projectColumns(summary.project),
    ["models_folded", summary.models.join("\n").toLowerCase()],
    ["title", summary.title],
    ["title_folded", summary.title === null ? null : sortable(summary.title)],
    ["started_at", summary.startedAt],
    ["started_ms", started],
    ["first_ms", summary.startedAt === null ? updated : started],
    ["last_ms", summary.updatedAt === null ? started : updated],
    ["prompts", summary.prompts],
    ["tokens", summary.tokens.total],
    ["own_usage", null],
    ["copy_rank", copyRank(rows)],
    ["recorded_parent", summary.parentId],
    ["recorded_call", summary.parentCallId],
    ["parent", summary.parentId],
    ["parent_call", summary.parentCallId],
    ["generations", generationsOf(rows)],
    ["origins", jsonOrNull(session.origins)],
    ["unrecorded", jsonOrNull(session.unrecorded)],
    ["is_import", summary.isImport ? 1 : 0],
    ["is_indexed", 0],
  ];
}

function projectColumns(project: ProjectAnswer): Columns {
  const { name, path, hash, knownBy } = project;
  return [
    ["project_known_by", knownBy],
    ["path_separator", separatorOf(path ?? "")],
    ["project", path ?? hash ?? name],
    ["project_name", name],
    ["project_path", path],
    ["project_hash", hash],
    ["project_name_folded", sortable(name)],
    ["project_folded", `${name}\n${path ?? ""}`.toLowerCase()],
  ];
}

function jsonOrNull(list: readonly unknown[] | undefined): string | null {
  return list === undefined || list.length === 0 ? null : JSON.stringify(list);
}
