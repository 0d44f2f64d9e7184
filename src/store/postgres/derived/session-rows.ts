import { groupBy } from "../../../core/group.ts";
import { callKey, copyRank } from "../../../core/session/links.ts";
import type { SessionRows } from "../../../core/rows/session-rows.ts";
import type { ProjectAnswer } from "../../../core/rows/summary.ts";
import type { UsageFact } from "../../../core/usage/usage-fact.ts";
import {
  msOf,
  namesCalled,
  tokensOf,
  unusualTime,
  generationsOf,
  sortable,
} from "../../row-values.ts";
import { absolutePath } from "../../../core/rows/touched-file.ts";
import type { Copied } from "../connection.ts";
import type { Dictionaries } from "./dictionaries.ts";
import { recordKey, sessionKey } from "./session-key.ts";

/** Columns of a table, and rows to copy into it. */
interface TableRows {
  columns: readonly string[];
  rows: Copied[];
}

/** All rows of sessions to write, by table. */
export type Written = Record<
  | "sessions"
  | "session_files"
  | "agent_calls"
  | "replies"
  | "tool_calls"
  | "tool_files"
  | "record_keys",
  TableRows
>;

export function rowsOfSessions(
  sessions: readonly SessionRows[],
  dictionaries: Dictionaries,
): Written {
  const written = emptyTables();
  for (const rows of sessions) {
    const key = sessionKey(rows.summary);
    const columns = sessionColumns(key, rows);
    written.sessions.columns = Object.keys(columns);
    written.sessions.rows.push(Object.values(columns));
    for (const [position, file] of rows.session.files.entries()) {
      const { path, root, part, goneSinceMs } = file;
      written.session_files.rows.push([key, position, path, root, part, goneSinceMs]);
    }
    for (const [position, { agentId, callId }] of rows.agentCalls.entries()) {
      written.agent_calls.rows.push([key, position, rows.summary.source, agentId, callId]);
    }
    addReplies(written, rows, dictionaries);
    addTools(written, rows, dictionaries);
  }
  written.record_keys.rows = recordKeys([...written.replies.rows, ...written.tool_calls.rows]);
  return written;
}

/** Removes duplicates: a session may hold several records with the same key. */
function recordKeys(records: readonly Copied[]): Copied[] {
  const pairs = new Map(
    records.map(([session, , key]) => [[String(key), String(session)].join(" "), [key, session]]),
  );
  return [...pairs.values()];
}

type Columns = Record<string, Copied[number]>;

function sessionColumns(key: string, rows: SessionRows): Columns {
  const { summary, session } = rows;
  const [started, updated] = [msOf(summary.startedAt), msOf(summary.updatedAt)];
  const last = summary.updatedAt === null ? started : updated;
  return {
    session: key,
    source: summary.source,
    id: summary.id,
    ledger_name: session.ledgerName,
    kind: summary.kind,
    status: summary.status,
    ...projectColumns(summary.project),
    models: summary.models.map((model) => model.toLowerCase()),
    title: summary.title,
    title_sorted: summary.title === null ? null : sortable(summary.title),
    started_at: summary.startedAt,
    started_ms: started,
    first_ms: summary.startedAt === null ? updated : started,
    last_ms: last,
    newest: -(last ?? 0),
    prompts: summary.prompts,
    recorded_tokens: summary.tokens.total,
    tokens: summary.tokens.total,
    copy_rank: copyRank(rows),
    recorded_parent: summary.parentId,
    recorded_call: summary.parentCallId,
    parent: summary.parentId,
    parent_call: summary.parentCallId,
    top: key,
    root: session.files[0]?.root ?? "unknown",
    generations: generationsOf(rows),
    has_origins: (session.origins?.length ?? 0) > 0,
    has_unrecorded: (session.unrecorded?.length ?? 0) > 0,
    is_indexed: false,
    summary: JSON.stringify(summary),
    facts: JSON.stringify(session),
  };
}

export function projectColumns(project: ProjectAnswer): Columns {
  const { name, path, hash } = project;
  return {
    project: path ?? hash ?? name,
    project_name: name,
    project_path: path,
    project_hash: hash,
    project_answer: JSON.stringify(project),
    name_sorted: sortable(name),
    name_folded: name.toLowerCase(),
    path_folded: (path ?? "").toLowerCase(),
  };
}

function addReplies(written: Written, rows: SessionRows, dictionaries: Dictionaries): void {
  const { summary, session, usage, tools } = rows;
  const key = sessionKey(summary);
  const started = msOf(summary.startedAt);
  const prefix = `${session.ledgerName}:${session.id}:`;
  const files = new Map(session.files.map(({ path }, position) => [path, position]));
  const calls = groupBy(tools, ({ messageId }) => messageId);
  for (const [position, fact] of usage.entries()) {
    const file = files.get(fact.place.file);
    const root = session.files[file ?? 0]?.root;
    const called = calls.get(fact.messageId) ?? [];
    written.replies.rows.push([
      key,
      position,
      recordKey(summary.source, "reply", fact.replyId),
      ...namesOfReply(fact, prefix),
      ...timesOf(fact.at, started),
      dictionaries.model(fact.model),
      fact.standing,
      fact.reason,
      fact.isAtLeast,
      fact.purpose,
      fact.tier,
      root === session.files[0]?.root ? null : root,
      file,
      file === undefined ? fact.place.file : null,
      fact.place.line,
      fact.place.start,
      fact.place.end,
      ...tokensOf(fact),
      fact.oddities === undefined ? null : JSON.stringify(fact.oddities),
      namesCalled(called, ({ name }) => name),
      namesCalled(called, ({ mcp }) => mcp?.server),
    ]);
  }
}

/** Ids that follow from the reply id are stored as NULL. */
function namesOfReply({ replyId, messageId, dedupKey }: UsageFact, prefix: string): Copied {
  return [
    replyId,
    messageId === replyId ? null : messageId,
    dedupKey === prefix + replyId ? null : dedupKey,
  ];
}

/** The recorded time, its text if not in the usual form, and the time that counts. */
function timesOf(at: string | undefined, started: number | null): Copied {
  const ms = msOf(at);
  return [ms, unusualTime(at, ms), ms ?? started];
}

function addTools(written: Written, rows: SessionRows, dictionaries: Dictionaries): void {
  const { summary, usage, tools } = rows;
  const key = sessionKey(summary);
  const started = msOf(summary.startedAt);
  const models = new Map(usage.map(({ messageId, model }) => [messageId, model]));
  let next = 0;
  for (const [call, fact] of tools.entries()) {
    const name = callKey(fact);
    const atMs = msOf(fact.at);
    written.tool_calls.rows.push([
      key,
      call,
      recordKey(summary.source, "call", name),
      name,
      atMs,
      atMs ?? started,
      dictionaries.tool(fact),
      fact.outcome,
      fact.durationMs,
      dictionaries.model(models.get(fact.messageId)),
      fact.commands,
    ]);
    for (const { path: recorded, how, addedLines, removedLines } of fact.files) {
      const path = touchedPath(recorded, summary.project.path);
      written.tool_files.rows.push([
        key,
        (next += 1),
        call,
        recorded,
        path,
        how,
        addedLines,
        removedLines,
      ]);
    }
  }
}

/** The absolute path of a touched file; `null` if it was recorded as such. */
export function touchedPath(recorded: string, project: string | null): string | null {
  const path = absolutePath(recorded, project);
  return path === recorded ? null : path;
}

function emptyTables(): Written {
  const table = (columns: string): TableRows => ({ columns: columns.split(" "), rows: [] });
  return {
    sessions: table("session"),
    session_files: table("session position path root part gone_since_ms"),
    agent_calls: table("session position source agent call"),
    record_keys: table("key session"),
    replies: table(
      "session position key reply message ledger_key at_ms at_text time_ms model standing reason " +
        "is_at_least purpose tier root file file_path line start_byte end_byte input fresh " +
        "cached cache_write_5m cache_write_1h output thoughts tool total web_searches remainder " +
        "oddities tools servers",
    ),
    tool_calls: table(
      "session position key call at_ms time_ms tool outcome duration_ms model commands",
    ),
    tool_files: table("session position call recorded path how added_lines removed_lines"),
  };
}
