import type { Diagnostic } from "../files/diagnostic.ts";
import type { Counts } from "../usage/counts.ts";
import type { Message, Standing, StandingReason } from "./message.ts";
import type { Place } from "../files/place.ts";
import type { Project, StoredClues } from "./project.ts";
import type { FileRole, FormatName } from "../files/session-file.ts";
import type { ReplyPurpose } from "../usage/usage-fact.ts";

/** One session as users understand it: one id, in one or more files. */
export interface Session extends SessionContent {
  source: string;
  /** The source's name in other tools' ledgers; the first part of usage facts' dedup keys. */
  ledgerName: string;
}

/** A session as interpreted by its source. It does not name the source, which the caller knows. */
export interface SessionContent {
  id: string;
  kind: "main" | "subagent";
  /** For a subagent: the session that started it, and the tool call if recorded. */
  parentId?: string;
  parentCallId?: string;
  project: Project;
  /** The generated one-line title. */
  summary?: string;
  startedAt?: string;
  updatedAt?: string;
  directories: string[];
  /** The repository's remote, and the branch that was worked on. */
  git?: { remote?: string; branch?: string };
  messages: Message[];
  /** Paid replies. A reply may be shown by several messages, or by none. */
  replies: Reply[];
  /** Usage in the agent's own totals that exceeds its recorded replies. */
  unrecorded?: UnrecordedUsage[];
  /** Sessions that this one was started from. */
  origins?: SessionOrigin[];
  /** Set by sources that determine projects from several files together. */
  clues?: StoredClues;
  /** Compressions of the conversation, each with its evidence. */
  compressions: Compression[];
  isImport: boolean;
  files: SessionFileRef[];
  diagnostics: Diagnostic[];
}

/** Returns a session with an id and a project, and no content. */
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
   * Unique among all sessions of the source: two records with the same id are one reply, which is
   * counted in the session that recorded it first.
   */
  id: string;
  /** Its key in other tools' ledgers, if not the id. */
  ledgerKey?: string;
  /**
   * The message that shows the reply; for a request beside the conversation, the reply's own id.
   */
  messageId: string;
  at?: string | undefined;
  model?: string | undefined;
  counts: Counts;
  standing: Standing;
  reason?: StandingReason | undefined;
  /** The final count was never written: the true count may be higher. */
  isAtLeast?: boolean;
  /** Set for a request beside the conversation. */
  purpose?: ReplyPurpose;
  tier?: string;
  place: Place;
}

/** Requests that appear only in the agent's own totals. */
export interface UnrecordedUsage {
  model: string;
  /** The record that contains the totals: `cost-state`, `usage_record.jsonl`, `costUSD`. */
  from: string;
  requests: number | null;
  counts: Counts;
  costUsd: number | null;
}

/** Usage that a session's agent counted beyond its recorded replies. */
export interface SessionUnrecorded {
  source: string;
  sessionId: string;
  usage: readonly UnrecordedUsage[];
}

/** Names the session that another one came from, and how. */
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
  part: "whole" | "copy" | "continuation" | "stub";
  firstAt?: string;
  lastAt?: string;
  /** Time since which the file is no longer on disk and is kept only in the archive. */
  goneSinceMs?: number;
  /** Path of a replaced content before it was replaced. */
  replacedPath?: string;
}

/**
 * - `summary`: a summary replaced messages, and both are recorded
 * - `split`: recording continued in a new file, the summary was not recorded
 * - `notice`: only a notice was recorded
 */
export interface Compression {
  how: "summary" | "split" | "notice";
  at?: string;
  messageId?: string;
  /** Messages that were kept verbatim are recorded after the summary, although they are older. */
  keeps?: "behind";
}
