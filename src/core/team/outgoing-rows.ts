import { optional } from "../optional.ts";
import type { SessionRows } from "../rows/session-rows.ts";
import type { ToolFact } from "../rows/tool-fact.ts";
import type { UsageFact } from "../usage/usage-fact.ts";
import { ROWS_FORMAT } from "./sync-protocol.ts";

/** What names are replaced with at level `usage`. */
export interface RowNames {
  session(ref: { id: string; parentId?: string | null | undefined }): string;
  project(name: string): string;
  /** The id of a message or a reply. */
  id(id: string): string;
}

/**
 * The rows of a session without its bytes: with names, those of level `usage`, else of `outline`.
 * Copies field by field, so that a field added later is not sent by accident.
 */
export function rowsToSend(rows: SessionRows, names?: RowNames): SessionRows {
  const id = names ? names.session(rows.summary) : rows.summary.id;
  const sent = { id, path: `told/${id}`, names };
  return {
    summary: sentSummary(rows, sent),
    session: sentSession(rows, sent),
    usage: rows.usage.map((fact) => sentFact(fact, sent)),
    tools: names ? [] : rows.tools.map(sentCall),
    agentCalls: [],
  };
}

/** How a session is named in its rows. */
interface Sent {
  id: string;
  path: string;
  /** Absent: names are sent in plain text. */
  names: RowNames | undefined;
}

function sentSummary({ summary }: SessionRows, { id, path, names }: Sent): SessionRows["summary"] {
  const { source, kind, parentId, startedAt, updatedAt, status, prompts, messages } = summary;
  const { toolCalls, models, tokens, isAtLeast, webSearches } = summary;
  const { compressions, isImport } = summary;
  return {
    id,
    source,
    project: sentProject(summary.project, names),
    kind,
    parentId: parentId === null || !names ? parentId : names.session({ id: parentId }),
    parentCallId: null,
    title: names ? null : summary.title,
    startedAt,
    updatedAt,
    status,
    prompts,
    messages,
    toolCalls,
    models,
    tokens,
    isAtLeast,
    webSearches,
    compressions,
    isImport,
    files: [{ path, format: ROWS_FORMAT, part: "whole", sizeBytes: 0 }],
    goneSince: null,
  };
}

function sentSession(
  { session, summary }: SessionRows,
  { id, path, names }: Sent,
): SessionRows["session"] {
  const { source, ledgerName, kind, parentId, startedAt, updatedAt, isImport } = session;
  const { name: label, path: place } = sentProject(summary.project, names);
  const format = ROWS_FORMAT;
  const file = { path, root: "told", role: "main", format, generation: "1" } as const;
  return {
    id,
    source,
    ledgerName,
    kind,
    ...optional("parentId", parentId && names ? names.session({ id: parentId }) : parentId),
    project: { name: label, knownBy: "recorded", ...optional("path", place ?? undefined) },
    ...optional("startedAt", startedAt),
    ...optional("updatedAt", updatedAt),
    directories: [],
    compressions: [],
    isImport,
    files: [{ ...file, part: "whole", sizeBytes: 0, modifiedMs: 0, isCleaned: false }],
  };
}

function sentProject(
  project: SessionRows["summary"]["project"],
  names: RowNames | undefined,
): SessionRows["summary"]["project"] {
  if (!names) return project;
  const name = names.project(project.path ?? project.name);
  return { name, path: null, hash: null, knownBy: "recorded" };
}

function sentFact(fact: UsageFact, { id, path, names }: Sent): UsageFact {
  const name = (text: string): string => (names ? names.id(text) : text);
  return {
    ...fact,
    replyId: name(fact.replyId),
    messageId: name(fact.messageId),
    dedupKey: name(fact.dedupKey),
    sessionId: id,
    place: { file: path, line: 0, start: 0, end: 0 },
  };
}

/** Sends tools and touched files, but not shell command lines. */
function sentCall({ commands: _lines, ...fact }: ToolFact): ToolFact {
  return fact;
}
