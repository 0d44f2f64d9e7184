import type { Diagnostic } from "./diagnostic.ts";
import type { Counts } from "./counts.ts";
import type { Message, Standing, StandingReason } from "./message.ts";
import type { Place } from "./place.ts";
import type { Project, StoredClues } from "./project.ts";
import type { FileRole, FormatName } from "./session-file.ts";
import type { ReplyPurpose } from "./usage-fact.ts";

/** What a person calls one session: one id, in one or more files. */
export interface Session extends SessionContent {
  source: string;
  /** How ledgers of other tools call the source; keys of usage facts begin with it. */
  ledgerName: string;
}

/** A session as its source tells it; whose source that is, is known to whoever reads. */
export interface SessionContent {
  id: string;
  kind: "main" | "subagent";
  /** Of a subagent's session: what started it, and the tool call when the file tells. */
  parentId?: string;
  parentCallId?: string;
  project: Project;
  /** The one-line title that was generated for it. */
  summary?: string;
  startedAt?: string;
  updatedAt?: string;
  directories: string[];
  /** Where the project's repository comes from, and the branch that was worked on. */
  git?: { remote?: string; branch?: string };
  messages: Message[];
  /** What was paid for. A reply may be shown by several messages, or by none. */
  replies: Reply[];
  /** What the program's own totals have beyond the replies that it recorded. */
  unrecorded?: UnrecordedUsage[];
  /** Sessions that this one was begun from. */
  origins?: SessionOrigin[];
  /** Of a source whose projects are known from several files together. */
  clues?: StoredClues;
  /** Moments at which the conversation was compressed, by the place that proves it. */
  compressions: Compression[];
  isImport: boolean;
  files: SessionFileRef[];
  diagnostics: Diagnostic[];
}

/** A session of which nothing is known yet but its id and its project. */
export function emptySession(id: string, project: Project): SessionContent {
  return {
    id,
    kind: "main",
    project,
    directories: [],
    messages: [],
    replies: [],
    compressions: [],
    isImport: false,
    files: [],
    diagnostics: [],
  };
}

/** One paid answer of a model. */
export interface Reply {
  /**
   * Who it is, in all sessions of its source: two of them with one id are one reply, and it is
   * counted in the session that recorded it first.
   */
  id: string;
  /** How ledgers of other tools name it, when not by its id. */
  ledgerKey?: string;
  /** The message that shows it; of a request beside the conversation, its own id. */
  messageId: string;
  at?: string | undefined;
  model?: string | undefined;
  counts: Counts;
  standing: Standing;
  reason?: StandingReason | undefined;
  /** The final count was never written: it is at least this much. */
  isAtLeast?: boolean;
  /** Of a request beside the conversation. */
  purpose?: ReplyPurpose;
  tier?: string;
  place: Place;
}

/** Requests of which only the program's own totals tell. */
export interface UnrecordedUsage {
  model: string;
  /** The record that has the totals: `cost-state`, `usage_record.jsonl`, `costUSD`. */
  from: string;
  requests: number | null;
  counts: Counts;
  costUsd: number | null;
}

/** What a session's program counted beyond its recorded replies. */
export interface SessionUnrecorded {
  source: string;
  sessionId: string;
  /** The name of its project. */
  project: string;
  usage: readonly UnrecordedUsage[];
}

/** How a session came from another one. */
export interface SessionOrigin {
  sessionId: string;
  how: "fork" | "resume-copy" | "clear" | "rollback" | "import" | "handover";
}

export interface SessionFileRef {
  path: string;
  root: string;
  role: FileRole;
  format: FormatName;
  generation: string;
  sizeBytes: number;
  modifiedMs: number;
  isCleaned: boolean;
  /** What this file is to the session. */
  part: "whole" | "copy" | "continuation" | "stub";
  firstAt?: string;
  lastAt?: string;
  /** Since when it is no longer on the disk; the archive has kept it. */
  goneSinceMs?: number;
  /** Where this content stood until another one took its place. */
  replacedPath?: string;
}

/**
 * - `summary`: a summary replaced messages, and the record shows both
 * - `split`: recording went on in a new file, the summary was not recorded
 * - `notice`: only a notice tells
 */
export interface Compression {
  how: "summary" | "split" | "notice";
  at?: string;
  messageId?: string;
  /** What it kept word for word is told behind the summary, though it was said before it. */
  keeps?: "behind";
}
