import type { Diagnostic } from "./diagnostic.ts";
import type { Message } from "./message.ts";
import type { Project } from "./project.ts";
import type { FileRole, FormatName } from "./session-file.ts";

/** What a person calls one session: one id, in one or more files. */
export interface Session {
  id: string;
  source: string;
  /** How ledgers of other tools call the source; keys of usage facts begin with it. */
  ledgerName: string;
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
  messages: Message[];
  /** Moments at which the conversation was compressed, by the place that proves it. */
  compressions: Compression[];
  isImport: boolean;
  files: SessionFileRef[];
  diagnostics: Diagnostic[];
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
}
