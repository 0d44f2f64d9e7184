import { optional } from "../core/optional.ts";
import type { SessionRows } from "../core/rows/session-rows.ts";
import { ROWS_FORMAT } from "../core/team/sync-protocol.ts";
import type { ToolFact } from "../core/rows/tool-fact.ts";
import type { UsageFact } from "../core/usage/usage-fact.ts";
import type { HiddenNames } from "./hidden-names.ts";

/**
 * The rows to send instead of a session's bytes. Copies field by field, so that a field added later
 * is not sent by accident.
 */
export function rowsToSend(
  rows: SessionRows,
  level: "usage" | "outline",
  hiddenNames: HiddenNames,
): SessionRows {
  const names = level === "usage" ? hiddenNames : undefined;
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
  names: HiddenNames | undefined;
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
  names: HiddenNames | undefined,
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
