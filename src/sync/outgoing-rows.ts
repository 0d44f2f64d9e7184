import { createHmac } from "node:crypto";
import { optional } from "../core/optional.ts";
import type { SessionRows } from "../core/rows/session-rows.ts";
import { ROWS_FORMAT } from "../core/team/sync-protocol.ts";
import type { ToolFact } from "../core/rows/tool-fact.ts";
import type { UsageFact } from "../core/usage/usage-fact.ts";

/**
 * The rows to send instead of a session's bytes. At level `usage`, every name is an HMAC with a key
 * that never leaves the machine: the server can distinguish names but not read them.
 */
export function rowsToSend(
  rows: SessionRows,
  level: "usage" | "outline",
  key: string,
): SessionRows {
  const hide = (text: string): string => hidden(text, key);
  const name = level === "usage" ? hide : (text: string): string => text;
  return { ...namedRows(rows, name), ...(level === "usage" ? NOTHING_DONE : {}) };
}

/** The form of a name at level `usage`. */
export function hidden(text: string, key: string): string {
  return createHmac("sha256", key).update(text).digest("hex").slice(0, 24);
}

const NOTHING_DONE = { tools: [], agentCalls: [] };

/** Copies field by field, so that a field added later is not sent by accident. */
function namedRows(rows: SessionRows, name: (text: string) => string): SessionRows {
  const { usage, tools } = rows;
  const id = name(rows.summary.id);
  const path = `told/${id}`;
  return {
    summary: sentSummary(rows, { id, path, name }),
    session: sentSession(rows, { id, path, name }),
    usage: usage.map((fact) => sentFact(fact, { id, path, name })),
    tools: tools.map(sentCall),
    agentCalls: [],
  };
}

interface Names {
  id: string;
  path: string;
  name: (text: string) => string;
}

/** True if names are sent in plain text. */
function isOpen(name: Names["name"]): boolean {
  return name("") === "";
}

function sentSummary({ summary }: SessionRows, { id, path, name }: Names): SessionRows["summary"] {
  const { source, kind, parentId, startedAt, updatedAt, status, prompts, messages } = summary;
  const { toolCalls, models, tokens, isAtLeast, compressions, isImport } = summary;
  return {
    id,
    source,
    project: sentProject(summary.project, name),
    kind,
    parentId: parentId === null ? null : name(parentId),
    parentCallId: null,
    title: isOpen(name) ? summary.title : null,
    startedAt,
    updatedAt,
    status,
    prompts,
    messages,
    toolCalls,
    models,
    tokens,
    isAtLeast,
    compressions,
    isImport,
    files: [{ path, format: ROWS_FORMAT, part: "whole", sizeBytes: 0 }],
    goneSince: null,
  };
}

function sentSession(
  { session, summary }: SessionRows,
  { id, path, name }: Names,
): SessionRows["session"] {
  const { source, ledgerName, kind, parentId, startedAt, updatedAt, isImport } = session;
  const { name: label, path: place } = sentProject(summary.project, name);
  const format = ROWS_FORMAT;
  const file = { path, root: "told", role: "main", format, generation: "1" } as const;
  return {
    id,
    source,
    ledgerName,
    kind,
    ...optional("parentId", parentId === undefined ? undefined : name(parentId)),
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
  name: Names["name"],
): SessionRows["summary"]["project"] {
  if (isOpen(name)) return project;
  return { name: name(project.path ?? project.name), path: null, hash: null, knownBy: "recorded" };
}

function sentFact(fact: UsageFact, { id, path, name }: Names): UsageFact {
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
