import type { AnnotationChange } from "../core/annotation.ts";
import type { Diagnostic } from "../core/diagnostic.ts";
import type { KnownFile, KnownRoot, RootHow, Version } from "../core/kept.ts";
import type { Project } from "../core/project.ts";
import type { FileRole, FormatName, SessionFile } from "../core/session-file.ts";
import type { SessionRows } from "../core/session-rows.ts";
import type { TextPiece } from "../core/text.ts";
import type { ByteSource } from "../kernel/bytes.ts";
import type { Reads, SessionRef } from "./reads.ts";

export type * from "./reads.ts";

/**
 * Where sessions are kept and asked for. One contract for every engine: SQLite (the default on one
 * machine), PostgreSQL (a team's), and memory (the plain one that the others are compared with).
 *
 * A store has two halves. The bytes of files and what people put on sessions are precious;
 * everything else was derived from the bytes by `ingest`, and can be thrown away and made again.
 *
 * All methods are asynchronous and coarse: one question, one answer; one commit, all or nothing.
 */
export interface Store extends Reads {
  readonly location: string;
  /** `read`: it may not be written to; what it holds can still be asked for. */
  readonly mode: "write" | "read";

  addRoot(root: NewRoot, nowMs: number): Promise<KnownRoot>;
  /** Files as they are kept, to compare the disk with; also those that are gone. */
  known(query: KnownQuery): Promise<KnownFile[]>;
  /**
   * The kept bytes of a file or of an earlier version of it. Reading them blocks on nothing remote.
   */
  bytes(file: Pick<KnownFile, "path" | "content" | "sizeBytes">): Promise<ByteSource>;
  /** Every state in which a file was kept, oldest first. */
  versions(fileId: number): Promise<Version[]>;
  /**
   * Bytes, readings, session rows: all or nothing. `outdated`: someone else was quicker; look
   * again.
   */
  commit(batch: Batch): Promise<Committed | "outdated">;
  /**
   * Ids of files that may tell something and were not read since they changed, also of replaced
   * contents (below 0). Roots that were only visited are left out.
   */
  unread(): Promise<number[]>;
  /** Texts of sessions whose rows are there already; in transactions of their own. */
  indexTexts(batch: readonly SessionTexts[]): Promise<void>;
  /** Sessions of which the texts are not in the index as they are now; the newest first. */
  withoutTexts(limit: number): Promise<TextRequest[]>;
  /** What a person puts on sessions and messages; the later change of one thing stands. */
  annotate(changes: readonly AnnotationChange[], nowMs: number): Promise<void>;
  /** Removes bytes, rows, texts and annotations, and remembers not to keep them again. */
  forget(selection: ForgetSelection): Promise<void>;
  forgotten(): Promise<Forgotten>;
  care: Care;
  close(): Promise<void>;
}

export interface NewRoot {
  source: string;
  path: string;
  how: RootHow;
  /** Where it lies; on this machine when nothing is said. */
  machine?: { uid: string; name: string };
}

/** Which files are meant. All that is given must hold. */
export interface KnownQuery {
  rootId?: number;
  source?: string;
  roles?: readonly FileRole[];
  /** Files with these ids, at these paths, or that share a key with these. */
  ids?: readonly number[];
  paths?: readonly string[];
  keys?: readonly string[];
  /** Contents that others took the place of and that tell something; left out by default. */
  replaced?: "with" | "without";
}

/** What is stored in one step. */
export interface Batch {
  nowMs: number;
  files: readonly FileChange[];
  readings: readonly FileReading[];
  /** Replaces what is known of these sessions. */
  sessions: readonly SessionRows[];
  /** Sessions that no file tells of any more. */
  dropped: readonly SessionRef[];
  /** Sessions whose project is known better now, and which are otherwise as they were. */
  renamed?: readonly (SessionRef & { project: Project })[];
  looks?: readonly RootLook[];
}

/** A root was compared with the disk. */
export interface RootLook {
  rootId: number;
  /** What was wrong with the root itself. */
  diagnostics: readonly Diagnostic[];
  /** A short form of all that the root held; absent when it may have changed meanwhile. */
  snapshot?: string;
}

export type FileChange =
  /** `content` follows the known one, or replaces it. */
  | { kind: "content"; rootId: number; file: SessionFile; content: NewContent; known?: KnownFile }
  /** Same bytes; only what the file system tells has changed. */
  | { kind: "touched"; file: SessionFile; known: KnownFile; isSettled: boolean }
  | { kind: "gone"; known: KnownFile };

/** Bytes that are ready to be stored, all read from one state of the file. */
export interface NewContent {
  how: "whole" | "appended";
  /** Of the whole content. */
  sizeBytes: number;
  /** SHA-256 of the whole content, from its first byte to its last, as 64 hex digits. */
  digest: string;
  /** Later bytes could have been written within the precision of the file's clock. */
  isSettled: boolean;
  /**
   * Only the new part when appended; pieces are valid until the next is asked for. When the file
   * changes meanwhile, they end with an error, and nothing of the batch is stored.
   */
  pieces: Iterable<Uint8Array>;
}

/** How a file was read. */
export interface FileReading {
  rootId: number;
  path: string;
  /** Of a replaced content: its number. */
  content?: number;
  format: FormatName;
  generation: string;
  keys: readonly string[];
  sessionIds: readonly string[];
  /** Something of a session came out of it that nothing newer tells. */
  isRead: boolean;
  diagnostics: readonly Diagnostic[];
  /** What it tells that is no session; anything that JSON can write. */
  leftover?: unknown;
}

export interface Committed {
  /** Numbers of the batch's files by path. */
  files: ReadonlyMap<string, number>;
}

/** A session whose texts are missing, as it was when that was asked. */
export interface TextRequest extends SessionRef {
  revision: number;
}

export interface SessionTexts extends SessionRef {
  /** Of the request: a session that was written again since then stays in want of its texts. */
  revision?: number;
  /** All texts of the session; what was indexed before and is no longer among them is removed. */
  pieces: readonly TextPiece[];
  /**
   * Further texts of the session follow: until they end, nothing is removed, and it stays in want.
   */
  more?: true;
}

export interface ForgetSelection {
  /** Numbers of files, and of replaced contents (below 0). */
  files: readonly number[];
  sessions: readonly SessionRef[];
  /** Paths on this machine that are not to be kept again. */
  paths: readonly string[];
  nowMs: number;
}

export interface Forgotten {
  has(kind: "session" | "file", key: string): boolean;
  /** Ids of all sessions. */
  readonly sessions: readonly string[];
}

/** Looking after the store itself. */
export interface Care {
  stats(): Promise<StoreStats>;
  /** Every kept byte against its digest. */
  verify(progress: Progress): Promise<VerifyReport>;
  compact(progress: Progress): Promise<void>;
  /** Throws all that was derived away. */
  clearDerived(): Promise<void>;
  /** Small steps of upkeep, outside of anybody's wait. */
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
  /** What the kept files would take as they were, every version for itself. */
  originalBytes: number;
  /** The same, of the newest versions alone. */
  newestBytes: number;
  /** Without what several files or versions share. */
  distinctBytes: number;
  /** And packed. */
  storedBytes: number;
  /** Of the text index. */
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
