import type { Diagnostic } from "../core/diagnostic.ts";
import type { Digest } from "../core/digest.ts";
import type { KeptFile, KeptRoot, KeptVersion, RootHow } from "../core/kept.ts";
import type { Project } from "../core/project.ts";
import type { FormatName, SessionFile } from "../core/session-file.ts";
import type { TextHits, TextPiece, TextWish } from "../core/text.ts";
import type { ByteSource } from "../kernel/bytes.ts";
import type { ToldPath } from "../sources/source.ts";

/**
 * What is kept. Two halves: the bytes of files, which are precious, and rows that were read from
 * them, which may be thrown away and made again at any time.
 */
export interface Archive {
  readonly path: string;
  /** `read`: it may not be written to; what it holds can still be told. */
  readonly mode: "write" | "read";
  readonly files: KeptFiles;
  readonly rows: Rows;
  readonly texts: Texts;
  readonly answers: Answers;
  readonly memos: Memos;
  readonly skims: Skims;
  readonly care: Care;
  /** All of it or nothing; short, because nobody else can write meanwhile. */
  write<T>(work: () => T): T;
  /** What is read inside is of one moment. */
  read<T>(work: () => T): T;
  /** Gives back memory that only makes the next answer quicker. */
  rest(): void;
  close(): void;
}

/** The precious half: bytes in, bytes out. */
export interface KeptFiles {
  roots(): KeptRoot[];
  addRoot(root: { source: string; path: string; how: RootHow }, nowMs: number): KeptRoot;
  files(root: KeptRoot): KeptFile[];
  filesAt(root: KeptRoot, paths: readonly string[]): KeptFile[];
  /** Those alone, and what else of the root helps to read a session: evidence and spills. */
  filesAround(root: KeptRoot, ids: readonly number[]): KeptFile[];
  /** All that are no files of sessions. */
  companions(root: KeptRoot): KeptFile[];
  /** Those of all files of a root. */
  folders(root: KeptRoot): string[];
  file(id: number): KeptFile | undefined;
  /** Contents that others took the place of, by their numbers. */
  replaced(root: KeptRoot, ids: readonly number[]): KeptFile[];
  /** Every state that a file was seen in, oldest first. */
  versions(file: Pick<KeptFile, "id">): KeptVersion[];
  bytes(file: Pick<KeptFile, "path" | "stream" | "sizeBytes">): ByteSource;
  /**
   * Cuts, digests and packs: the slow part, before anything is locked. The pieces of a list stay as
   * they are; those of anything else need only be valid until the next one.
   */
  prepare(bytes: Iterable<Buffer>): Prepared;
  /** Nothing, when another process has kept the file meanwhile. */
  keep(root: KeptRoot, file: SessionFile, content: NewContent): KeptFile | undefined;
  /** The bytes are those that are kept; only what the file system tells has changed. */
  restamp(root: KeptRoot, file: SessionFile, seen: Seen): void;
  /** Paths of files that are no longer on the disk, and since when. */
  gone(roots: readonly KeptRoot[]): Map<string, number>;
  markGone(ids: readonly number[], nowMs: number): void;
  looked(root: KeptRoot, told: { nowMs: number; diagnostics: readonly Diagnostic[] }): void;
  /** What was wrong with the root itself when it was last looked at. */
  diagnostics(root: KeptRoot): Diagnostic[];
  /** Sessions and files that are not to be taken in again. */
  forgotten(): Forgotten;
  /** Further files of what was forgotten. */
  markForgotten(paths: readonly string[], nowMs: number): void;
}

export interface Seen {
  /** As it was when it was compared with the disk; nothing for a file that is new. */
  known?: KeptFile;
  isSettled: boolean;
  nowMs: number;
}

/** Bytes that are ready to be stored. */
export interface Prepared {
  readonly sizeBytes: number;
}

export interface NewContent extends Seen {
  content: Prepared;
  /** `whole`: another content from its first byte on; `appended`: what follows the known one. */
  how: "whole" | "appended";
}

/** What was prepared is no longer so, because something was removed meanwhile: look again. */
export class OutdatedContent extends Error {}

export interface Forgotten {
  has(kind: ForgottenKind, key: string): boolean;
}
export type ForgottenKind = "session" | "file";

/** The disposable half, without the text. */
export interface Rows {
  readings(roots: readonly number[]): Reading[];
  reading(file: number): Reading | undefined;
  /** Those that have something to remark. */
  remarks(roots: readonly number[]): Reading[];
  /** How many session files there are, and from how many something was read. */
  counts(roots: readonly number[]): { files: number; read: number };
  /** A short form of all that a root held when it was found to be as it is kept. */
  look(root: number): string | undefined;
  putLook(root: number, stamp: string): void;
  /** Files and replaced contents that tell of conversations, and were not read as they are. */
  unread(root: number): number[];
  putReading(reading: Reading): void;
  /** Files that hold something of a session, in one root. */
  filesOf(sessionId: string, root: number): number[];
  /** Those, and replaced contents that hold nothing which newer ones do not. */
  everyFileOf(sessionId: string, root: number): number[];
  /** Replaced contents that hold something which nothing newer does. */
  replaced(root: number): number[];
  /** Replaces what is known of a session in one root (or, merged, in several). */
  put(session: NewSession): number;
  drop(sessionId: string, root: number): void;
  /** Root by root: one that lies in several comes several times. */
  sessions(wish: { roots: readonly number[] }): StoredSession[];
  sessionsAt(keys: readonly number[]): StoredSession[];
  /** Keys and ids alone, of the same sessions. */
  keys(roots: readonly number[]): Map<number, string>;
  /** In order; nothing when one depends on others: has copies, or shares paid replies. */
  loneKeys(roots: readonly number[]): number[] | undefined;
  /** How many sessions there are in all roots. */
  count(): number;
  /** Of one session in one root, as it is stored now. */
  keyOf(sessionId: string, root: number): number | undefined;
  /** Those whose text is not in the index yet. */
  withoutText(roots: readonly number[]): { id: string; rootId: number }[];
  /** One that was put together from several roots. */
  merged(sessionId: string, roots: readonly number[]): StoredSession | undefined;
  rename(key: number, project: Project): void;
  /** Sessions that hold a paid reply which another one holds as well. */
  sharing(): Set<number>;
  /** Throws all away. */
  clear(): void;
}

/** How a file was read. */
export interface Reading {
  fileId: number;
  stream: number;
  sizeBytes: number;
  sessionId?: string;
  format: FormatName;
  generation: string;
  /** Of a replaced content: it tells something that nothing newer does. */
  isRead: boolean;
  diagnostics: Diagnostic[];
  /** What else it told, as the reader wants it back. */
  leftover?: unknown;
}

export interface NewSession {
  digest: Digest;
  /** The root that it was found in; of one that lies in several, all of them. */
  roots: readonly number[];
  clues: Clues;
}

/** What names the project, without the session's words. */
export interface Clues {
  files: { folder: string; projectHash?: string; told?: ToldPath }[];
  directories: string[];
}

export interface StoredSession {
  key: number;
  id: string;
  rootId: number | undefined;
  /** Read from its row when first asked. */
  readonly digest: Digest;
  readonly clues: Clues;
  hasText: boolean;
}

/** The text of sessions, word by word. */
export interface Texts {
  /** For texts that go into the index together. */
  draft(): TextDraft;
  /** Puts them in; of each session once, after its row. */
  put(draft: TextDraft): void;
  find(wish: TextWish): TextHits;
}

/** Texts on their way into the index. All of it is done before anything is locked. */
export interface TextDraft {
  /** Takes the words of a session's pieces; the texts are not needed afterwards. */
  add(pieces: readonly Pick<TextPiece, "role" | "atMs" | "texts">[]): number;
  /** All is there: puts the words in order. */
  seal(): void;
  /** What was added under that number is stored as a session; what is not told so is left out. */
  assign(number: number, session: { key: number; pieces: readonly PieceFacts[] }): void;
}

/** A piece without its words. */
export type PieceFacts = Omit<TextPiece, "texts">;

/** What was answered before, as long as it is still true. */
export interface Answers {
  /** Another number whenever something has changed that an answer may rest on. */
  revision(): number;
  find(question: string): string | undefined;
  /** All that is remembered, also what no longer holds. */
  all(): [question: string, text: string][];
  /** `revision`: as it was before the answer was worked out. */
  put(question: string, answer: { text: string; revision: number }): void;
}

/** What is expensive to work out, under the key of a session; gone when that changes. */
export interface Memos {
  find(name: string, keys: readonly number[]): Map<number, string>;
  put(name: string, values: ReadonlyMap<number, string>): void;
}

/** What was skimmed of files while nothing is kept yet: enough to tell what they cost. */
export interface Skims {
  find(name: string): Map<string, SkimSum>;
  put(name: string, sums: ReadonlyMap<string, SkimSum>): void;
  clear(): void;
}

export interface SkimSum {
  /** Size, time and identity of the file. */
  look: string;
  sessionId: string;
  format: FormatName;
  generation: string;
  /** Numbers of its paid replies. */
  replies: Float64Array;
  /** One line. */
  text: string;
}

/** Looking after the file itself. */
export interface Care {
  stats(): ArchiveStats;
  /** Brings what was written last into the file itself, so that no large log stays beside it. */
  settle(): void;
  /** Every kept byte against its digest. */
  verify(progress: (done: number, total: number) => void): VerifyAnswer;
  compact(progress: (done: number, total: number) => void): void;
  exportTo(path: string): void;
  importFrom(path: string, nowMs: number): ImportAnswer;
  forget(wish: ForgetWish): void;
}

export interface ForgetWish {
  /** Numbers of kept files, and of contents that were replaced; those of others stay. */
  files: readonly number[];
  sessions: readonly string[];
  /** Paths on this machine that are not to be taken in again. */
  paths: readonly string[];
  nowMs: number;
}

export interface ArchiveStats {
  path: string;
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
  roots: KeptRoot[];
}

export interface VerifyAnswer {
  chunks: number;
  bytes: number;
  problems: { what: string; files: string[] }[];
}

export interface ImportAnswer {
  files: number;
  versions: number;
  chunks: number;
  bytes: number;
  roots: number;
}
