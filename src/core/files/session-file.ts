import { optional } from "../optional.ts";

/** A file found on disk that may hold a session or a part of one. */
export interface SessionFile {
  path: string;
  /** Root under which the file was found. */
  root: string;
  role: FileRole;
  sizeBytes: number;
  modifiedMs: number;
  /** The file's ctime: unlike `modifiedMs`, it cannot be set back. */
  changedMs?: number;
  /** A replacement file has a different inode. */
  inode?: number;
  /** The project folder's name: a hash or a slug. */
  folder: string;
  /** The agent's own clean-up may delete it. */
  isCleaned: boolean;
  /** For a subagent's file: the session named by its folder. */
  parentId?: string;
  /** For a replaced content: its original path and its number. */
  replaced?: { path: string; number: number };
}

/**
 * - `main`, `subagent`: session files
 * - `set-aside`: a session file that was renamed because it could not be read
 * - `totals`: the agent's own totals over many sessions; read together with them
 * - `saved-chat`, `prompt-log`: other records of conversations
 * - `spill`: the full output of a tool, of which a session holds only the beginning
 * - `evidence`: identifies the project of a folder
 * - `companion`: belongs to a session and is kept with it, but contains no conversation
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

/**
 * Returns the fields known from the file system and the source, without those only a store knows.
 */
export function diskFieldsOf(file: SessionFile): SessionFile {
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

/** The path on disk, also of a replaced content, which is read under a path of its own. */
export function originalPath({ path, replaced }: Pick<SessionFile, "path" | "replaced">): string {
  return replaced?.path ?? path;
}

/** The size of all these files together. */
export function totalBytes(files: readonly { sizeBytes: number }[]): number {
  return files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
}

/** Whether a file counts as a session file in all answers. */
export function holdsSession({ role }: { role: string }): boolean {
  return role === "main" || role === "subagent" || role === "set-aside";
}

/** One of the formats of the file's source, or one of the two constants below. */
export type FormatName = string;
export const EMPTY_FORMAT = "empty";
export const UNKNOWN_FORMAT = "unknown";

/** Roles of files that are read; files with other roles are kept because these depend on them. */
export const READABLE_ROLES: readonly FileRole[] = [
  "main",
  "subagent",
  "set-aside",
  "totals",
  "saved-chat",
  "prompt-log",
];
