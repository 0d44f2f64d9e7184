import { optional } from "./optional.ts";

/** A file found on disk that may hold (a part of) a session. */
export interface SessionFile {
  path: string;
  /** The root it was found under. */
  root: string;
  role: FileRole;
  sizeBytes: number;
  modifiedMs: number;
  /** When the file system last noted a change of it: nobody can put that back. */
  changedMs?: number;
  /** What the file system calls it; a replaced file has another one. */
  inode?: number;
  /** The project folder's name: a hash or a slug. */
  folder: string;
  /** The program's own clean-up reaches it. */
  isCleaned: boolean;
  /** Of a subagent's file: the session named by its folder. */
  parentId?: string;
  /** Of a content that another one took the place of: where it stood, and its number. */
  replaced?: { path: string; number: number };
}

/**
 * - `main`, `subagent`: session files
 * - `set-aside`: a session file that was renamed because it could not be read
 * - `totals`: what the program itself counted, over many sessions; read together with them
 * - `saved-chat`, `prompt-log`: what else tells about conversations
 * - `spill`: the whole of a tool's output that a session holds only the beginning of
 * - `evidence`: tells which project a folder stands for
 * - `companion`: belongs to a session and is kept with it, but tells nothing of the conversation
 */
export type FileRole =
  | "main"
  | "subagent"
  | "set-aside"
  | "totals"
  | "saved-chat"
  | "prompt-log"
  | "spill"
  | "evidence"
  | "companion";

/** What the file system and the source tell of a file, without what only a store knows. */
export function fileAsSeen(file: SessionFile): SessionFile {
  const { path, root, role, sizeBytes, modifiedMs, folder, isCleaned } = file;
  return {
    path,
    root,
    role,
    sizeBytes,
    modifiedMs,
    ...optional("changedMs", file.changedMs),
    ...optional("inode", file.inode),
    folder,
    isCleaned,
    ...optional("parentId", file.parentId),
  };
}

/** What people call a session file, and every count of them means. */
export function holdsSession({ role }: { role: string }): boolean {
  return role === "main" || role === "subagent" || role === "set-aside";
}

/** One of the formats of the file's source, or one of these two. */
export type FormatName = string;
export const EMPTY_FORMAT = "empty";
export const UNKNOWN_FORMAT = "unknown";
