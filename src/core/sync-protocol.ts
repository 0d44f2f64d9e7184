import type { FileRole } from "./session-file.ts";
import type { SessionRows } from "./session-rows.ts";
import type { SyncLevel } from "./team.ts";

/** What a machine and a team's server say to one another. Every request may be repeated. */
export interface SyncServer {
  policy(): Promise<SyncPolicy>;
  /** What is there of these folders of this machine. */
  held(folders: readonly FolderRef[]): Promise<HeldFolder[]>;
  /** Which of these segments are not there. */
  missing(digests: readonly string[]): Promise<string[]>;
  putSegment(segment: SentSegment): Promise<void>;
  /** A state of a file, after its segments. */
  putFile(file: SentFile): Promise<PutAnswer>;
  /** What is told of a session instead of its bytes. */
  putRows(session: SentSession): Promise<void>;
  /** All sessions of one's own that are there, by the names that they have there. */
  sessions(): Promise<HeldSession[]>;
  /** Rows under these names are removed: the session is there in another form. */
  dropRows(names: readonly HeldSession[]): Promise<void>;
  /** Where the files of one's own session lie, on whatever machine. */
  find(session: string): Promise<PulledSession>;
  /** Bytes `[from, to)` of one of them. */
  read(file: { id: number; from: number; to: number }): Promise<Uint8Array>;
}

export const SYNC_PROTOCOL = 1;

export interface SyncPolicy {
  team: string;
  /** Another one when the server lost something: everything is offered again. */
  epoch: string;
  /** At most this leaves a machine; without `mayLower`, exactly this. */
  level: SyncLevel;
  mayLower: boolean;
  masked: boolean;
  /** Bytes a second. */
  paceBytes: number;
}

export interface FolderRef {
  source: string;
  root: string;
  folder: string;
}

export interface HeldFolder extends FolderRef {
  files: HeldFile[];
}

export interface HeldFile {
  path: string;
  /** Every content, the newest last. */
  contents: { sizeBytes: number; digest: string }[];
  isGone: boolean;
  /** Was erased there, and is not to be sent again. */
  isErased: boolean;
}

/** Packed as in an archive. */
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
  /** Of the newest content: when it was last on the disk, and since when it is not. */
  seenMs?: number;
  goneSinceMs?: number;
  /** Of all bytes. */
  sizeBytes: number;
  digest: string;
  /** So many bytes are those of the newest content that is there; the segments follow. */
  from: number;
  segments: string[];
}

/**
 * - `other`: what is there is not what it goes on with; look again
 * - `erased`: it was erased there, and is not wanted again
 * - `too-large`: the server does not take files of this size
 */
export type PutAnswer =
  | { answer: "taken" | "there" | "other" | "erased" }
  | { answer: "too-large"; mostBytes: number }
  | { answer: "missing"; segments: string[] };

export interface SentSession {
  level: "usage" | "outline";
  rows: SessionRows;
}

export interface HeldSession {
  source: string;
  id: string;
  /** Of rows alone. */
  hasRowsOnly: boolean;
}

/** A session of one's own that others shall see: those of a team, or everybody. */
export interface OpenAsked {
  session: string;
  team?: string;
}

/** What a file is called that stands for rows which were told. */
export const ROWS_FORMAT = "told";

/** Whether its machine told rows of a session, and not its bytes. */
export function hasRowsOnly({ files }: { files: readonly { format: string }[] }): boolean {
  return files.length > 0 && files.every(({ format }) => format === ROWS_FORMAT);
}

export interface PulledSession {
  source: string;
  id: string;
  title: string | null;
  files: PulledFile[];
}

/** One content of a file, as the server has it. */
export interface PulledFile extends Omit<SentFile, "segments" | "from" | "source"> {
  id: number;
  machine: { uid: string; name: string };
}
