import type { FileRole } from "../files/session-file.ts";
import type { SessionRows } from "../rows/session-rows.ts";
import type { SyncLevel } from "./team.ts";

/** Requests that a machine sends to a team's server. Every request may be repeated. */
export interface SyncServer {
  policy(): Promise<SyncPolicy>;
  /** Returns what the server has of these folders of this machine. */
  held(folders: readonly FolderRef[]): Promise<ServerFolder[]>;
  /** Returns the digests that the server does not have. */
  missing(digests: readonly string[]): Promise<string[]>;
  putSegment(segment: SentSegment): Promise<void>;
  /** Sends a state of a file; its segments must be sent first. */
  putFile(file: SentFile): Promise<PutFileResult>;
  /** Sends the rows of a session instead of its bytes. */
  putRows(session: SentSession): Promise<void>;
  /** Returns the ids under which the server has the user's own sessions. */
  sessions(): Promise<ServerSession[]>;
  /** Removes these sessions' rows, because the server has the sessions in another form. */
  dropRows(names: readonly ServerSession[]): Promise<void>;
  /** Finds the files of one of the user's own sessions, on any machine. */
  find(session: string): Promise<PulledSession>;
  read(part: FilePart): Promise<Uint8Array>;
}

/** What a machine gets in exchange for a code. The token is returned once. */
export interface Enrolled {
  device: string;
  token: string;
  team: string;
  expiresMs: number;
}

/** The bytes `[from, to)` of one of the files that were found. */
export interface FilePart {
  id: number;
  from: number;
  to: number;
}

export const SYNC_PROTOCOL = 1;

export interface SyncPolicy {
  team: string;
  /** Changes when the server has lost data: the client then offers everything again. */
  epoch: string;
  /** The most that a machine sends; without `mayLower`, exactly what it sends. */
  level: SyncLevel;
  mayLower: boolean;
  masked: boolean;
  /** Upload rate in bytes per second. */
  paceBytes: number;
  /** Hides random names at level `usage`; the same for all machines of a person. */
  nameKey?: string;
}

export interface FolderRef {
  source: string;
  root: string;
  folder: string;
}

export interface ServerFolder extends FolderRef {
  files: ServerFile[];
}

export interface ServerFile {
  path: string;
  /** All contents, the newest last. */
  contents: { sizeBytes: number; digest: string }[];
  isGone: boolean;
  /** The file was erased on the server and must not be sent again. */
  isErased: boolean;
}

/** A segment, compressed as in an archive. */
export interface SentSegment {
  digest: string;
  codec: string;
  stored: Uint8Array;
}

export interface SentFile {
  source: string;
  root: string;
  path: string;
  role: FileRole;
  folder: string;
  parentId?: string;
  isCleaned: boolean;
  modifiedMs: number;
  keptMs: number;
  /** For the newest content: when it was last on disk, and since when it is not. */
  seenMs?: number;
  goneSinceMs?: number;
  /** Size and digest of the whole content. */
  sizeBytes: number;
  digest: string;
  /** Number of leading bytes that equal the newest content on the server; the segments follow. */
  from: number;
  segments: string[];
}

/**
 * - `other`: the server's content is not the one that this file continues; query it again
 * - `erased`: the file was erased on the server and must not be sent again
 * - `too-large`: the server does not accept files of this size
 */
export type PutFileResult =
  | { answer: "taken" | "there" | "other" | "erased" }
  | { answer: "too-large"; mostBytes: number }
  | { answer: "missing"; segments: string[] };

export interface SentSession {
  level: "usage" | "outline";
  rows: SessionRows;
}

export interface ServerSession {
  source: string;
  id: string;
  /** The server has only rows of the session. */
  hasRowsOnly: boolean;
}

/**
 * Request to share one of the user's own sessions with a team, or with everybody if `team` is
 * absent.
 */
export interface ShareRequest {
  session: string;
  team?: string;
}

/** Format name of the placeholder file of a session that was sent as rows; kept in databases. */
export const ROWS_FORMAT = "told";

/** Whether a session was sent as rows, not as bytes. */
export function hasRowsOnly({ files }: { files: readonly { format: string }[] }): boolean {
  return files.length > 0 && files.every(({ format }) => format === ROWS_FORMAT);
}

export interface PulledSession {
  source: string;
  id: string;
  title: string | null;
  files: PulledFile[];
}

/** One content of a file on the server. */
export interface PulledFile extends Omit<SentFile, "segments" | "from" | "source"> {
  id: number;
  machine: { uid: string; name: string };
}
