import type { AnnotationChange } from "../core/session/annotation.ts";
import type { Diagnostic } from "../core/files/diagnostic.ts";
import type { KnownFile, KnownRoot, RootOrigin, Version } from "../core/files/kept.ts";
import type { Project } from "../core/session/project.ts";
import type { FileRole, FormatName, SessionFile } from "../core/files/session-file.ts";
import type { SessionRows } from "../core/rows/session-rows.ts";
import type { SessionWork } from "../core/rows/session-work.ts";
import type { TextPiece } from "../core/session/text.ts";
import type { ByteSource } from "../kernel/bytes.ts";
import type { Reads, SessionRef } from "./reads.ts";

export type * from "./reads.ts";

/**
 * Storage and queries for sessions. One contract for every engine: SQLite (the default on one
 * machine), PostgreSQL (shared by a team) and memory (the plain reference that tests compare the
 * others with).
 *
 * A store has two halves. File bytes and users' annotations are precious. Everything else is
 * derived from the bytes by `ingest`, and can be deleted and rebuilt.
 *
 * All methods are asynchronous and coarse: one call per question; a commit stores all or nothing.
 */
export interface Store extends Reads {
  readonly location: string;
  /** `read`: opened read-only; queries still work. */
  readonly mode: "write" | "read";
  /** A token that changes with every write, by anybody; absent if that cannot be known. */
  state?(): string;

  addRoot(root: NewRoot, nowMs: number): Promise<KnownRoot>;
  /** Kept files, including deleted ones, to compare the disk with. */
  known(query: KnownQuery): Promise<KnownFile[]>;
  /**
   * Opens the kept bytes of a file or of an earlier version of it. Reading them never waits for the
   * network.
   */
  bytes(file: Pick<KnownFile, "path" | "content" | "sizeBytes">): Promise<ByteSource>;
  /** Every kept version of a file, oldest first. */
  versions(fileId: number): Promise<Version[]>;
  /**
   * Stores bytes, readings and session rows, all or nothing. Returns `outdated` if another writer
   * committed first; the caller compares again.
   */
  commit(batch: Batch): Promise<"done" | "outdated">;
  /**
   * Ids of files with readable roles (`READABLE_ROLES`) that were not read since they
   * changed, including replaced contents (ids below 0). Files of `visited` roots are left out.
   */
  unread(): Promise<number[]>;
  /**
   * Stores what only reading a session in full tells, in transactions of their own: indexes its
   * texts and keeps its work. Its rows are already stored.
   */
  indexTexts(batch: readonly SessionTexts[]): Promise<void>;
  /** Sessions whose current texts are not indexed yet, newest first. */
  withoutTexts(): Promise<TextRequest[]>;
  /** Stores users' annotations of sessions and messages. The later change to the same item wins. */
  annotate(changes: readonly AnnotationChange[], nowMs: number): Promise<void>;
  /** Removes bytes, rows, texts and annotations, and records that they must not be kept again. */
  forget(selection: ForgetSelection): Promise<void>;
  forgotten(): Promise<Forgotten>;
  care: Care;
  close(): Promise<void>;
}

export interface NewRoot {
  source: string;
  path: string;
  how: RootOrigin;
  /** The machine that holds the root; this machine by default. */
  machine?: { uid: string; name: string };
}

/** Selects files. A file must match every field that is given. */
export interface KnownQuery {
  rootId?: number;
  source?: string;
  roles?: readonly FileRole[];
  /** The file must match one entry of each given list of ids, paths and keys. */
  ids?: readonly number[];
  paths?: readonly string[];
  keys?: readonly string[];
  /** Whether to include replaced contents that were read; `without` by default. */
  replaced?: "with" | "without";
}

/** Changes that are stored in one transaction. */
export interface Batch {
  nowMs: number;
  files: readonly FileChange[];
  readings: readonly FileReading[];
  /** Replaces the rows of these sessions. */
  sessions: readonly SessionRows[];
  /** Sessions that no file contains any more. */
  dropped: readonly SessionRef[];
  /** Sessions that only change their project, because better evidence of it was found. */
  renamed?: readonly (SessionRef & { project: Project })[];
  comparisons?: readonly RootComparison[];
}

/** The result of comparing a root with the disk. */
export interface RootComparison {
  rootId: number;
  /** Problems with the root itself, not with a file in it. */
  diagnostics: readonly Diagnostic[];
  /** Fingerprint of the root's contents; absent if they may have changed during the comparison. */
  snapshot?: string;
}

export type FileChange =
  /** `content` extends the known content or replaces it. */
  | { kind: "content"; rootId: number; file: SessionFile; content: NewContent; known?: KnownFile }
  /** Same bytes; only the file system's metadata changed. */
  | { kind: "touched"; file: SessionFile; known: KnownFile; isSettled: boolean }
  | { kind: "gone"; known: KnownFile };

/** Bytes to store, all read from one state of the file. */
export interface NewContent {
  how: "whole" | "appended";
  /** Size of the whole content. */
  sizeBytes: number;
  /** SHA-256 of the whole content, as 64 hex digits. */
  digest: string;
  /** False if a later write could go unnoticed, within the precision of the file's timestamps. */
  isSettled: boolean;
  /**
   * When appended, only the new part. Each piece is valid until the next one is requested. If the
   * file changes while it is read, the iterator throws and nothing of the batch is stored.
   */
  pieces: Iterable<Uint8Array>;
}

/** The result of reading a file. */
export interface FileReading {
  rootId: number;
  path: string;
  /** The content's number, if it is a replaced content. */
  content?: number;
  format: FormatName;
  generation: string;
  keys: readonly string[];
  sessionIds: readonly string[];
  /** Whether something was read that no newer file has: of its own session, or of others. */
  isRead: boolean;
  diagnostics: readonly Diagnostic[];
}

/** A session whose texts are not indexed, with its revision at the time of the query. */
export interface TextRequest extends SessionRef {
  revision: number;
}

export interface SessionTexts extends SessionRef {
  /**
   * The revision from the request. If the session has changed since then, it stays listed by
   * `withoutTexts`.
   */
  revision?: number;
  /** All texts of the session; indexed texts that are not among them are removed. */
  pieces: readonly TextPiece[];
  /** Comes with the last texts of the session. */
  work?: SessionWork;
  /**
   * More texts of this session follow. Until the last call, nothing is removed and the session
   * stays listed by `withoutTexts`.
   */
  more?: true;
}

export interface ForgetSelection {
  /** Ids of files, and of replaced contents (below 0). */
  files: readonly number[];
  sessions: readonly SessionRef[];
  /** Further sessions whose rows and texts are removed, but which may come back. */
  rows?: readonly SessionRef[];
  /** Paths on this machine that must not be kept again. */
  paths: readonly string[];
  nowMs: number;
}

export interface Forgotten {
  hasFile(path: string): boolean;
  /** Paths of forgotten files. */
  readonly files: readonly string[];
  hasSession(session: SessionRef): boolean;
  /** Possible ids of forgotten sessions; `hasSession` decides. */
  readonly sessions: readonly string[];
}

/** Maintenance of the store itself. */
export interface Care {
  stats(): Promise<StoreStats>;
  /** `originalBytes` of the stats, without the time that the others take. */
  originalBytes(): Promise<number>;
  /** Checks every kept byte against its digest. */
  verify(progress: Progress): Promise<VerifyReport>;
  compact(progress: Progress): Promise<void>;
  /** Deletes everything that is derived from the bytes. */
  clearDerived(): Promise<void>;
  /** Runs small maintenance steps while no user is waiting. */
  settle(): Promise<void>;
  exportTo(path: string): Promise<void>;
  importFrom(path: string, nowMs: number): Promise<ImportReport>;
}

export type Progress = (done: number, total: number) => void;

export interface StoreStats {
  location: string;
  sizeBytes: number;
  files: { total: number; gone: number };
  versions: number;
  chunks: number;
  /** Uncompressed size of every version of every file. */
  originalBytes: number;
  /** Uncompressed size of the newest versions only. */
  newestBytes: number;
  /** Uncompressed size with shared chunks counted once. */
  distinctBytes: number;
  /** Compressed size of these chunks. */
  storedBytes: number;
  /** Size of the text index. */
  textBytes: number;
  sessions: number;
  texts: number;
  forgotten: number;
  roots: KnownRoot[];
}

export interface VerifyReport {
  chunks: number;
  bytes: number;
  problems: { what: string; files: string[] }[];
}

export interface ImportReport {
  files: number;
  versions: number;
  chunks: number;
  bytes: number;
  roots: number;
}
