import type { Chain } from "../core/chain.ts";
import type { Diagnostic } from "../core/diagnostic.ts";
import type { KnownFile, KnownRoot, RootHow, Version } from "../core/kept.ts";
import type { SearchExpression } from "../core/search-expression.ts";
import type { Project } from "../core/project.ts";
import type { FileRole, FormatName, SessionFile } from "../core/session-file.ts";
import type { SessionRow, SessionRows } from "../core/session-rows.ts";
import type { TextHit, TextPiece, TextRole } from "../core/text.ts";
import type { StoredCoverage } from "../core/coverage.ts";
import type { SessionUnrecorded } from "../core/session.ts";
import type { PaidReply, ReplyTimes, UsageBuckets } from "../core/usage-fact.ts";
import type { ToolBuckets } from "../core/tool-fact.ts";
import type { LedgerFilter, SessionFilter, SessionSort } from "../core/filter.ts";
import type { ByteSource } from "../kernel/bytes.ts";

/**
 * Where sessions are kept and asked for. One contract for every engine: SQLite (the default on one
 * machine), PostgreSQL (a team's), and memory (the plain one that the others are compared with).
 *
 * A store has two halves. The bytes of files are precious and only ever added to; everything else
 * was derived from them by `ingest`, and can be thrown away and made again.
 *
 * All methods are asynchronous and coarse: one question, one answer; one commit, all or nothing.
 */
export interface Store extends Reads {
  readonly location: string;
  /** `read`: it may not be written to; what it holds can still be asked for. */
  readonly mode: "write" | "read";

  addRoot(root: NewRoot, nowMs: number): Promise<KnownRoot>;
  /** Files of a root as they are kept, to compare the disk with; also those that are gone. */
  known(query: KnownQuery): Promise<KnownFile[]>;
  /** The kept bytes of a file or of an earlier version of it. Reading them blocks on nothing remote. */
  bytes(file: Pick<KnownFile, "path" | "content" | "sizeBytes">): Promise<ByteSource>;
  /** Every state in which a file was kept, oldest first. */
  versions(fileId: number): Promise<Version[]>;
  /** Bytes, readings, session rows: all or nothing. `outdated`: someone else was quicker; look again. */
  commit(batch: Batch): Promise<Committed | "outdated">;
  /** Texts of sessions whose rows are there already; in transactions of their own. */
  indexTexts(batch: readonly SessionTexts[]): Promise<void>;
  /** Sessions of which the texts are not in the index yet, newest first. */
  withoutTexts(limit: number): Promise<SessionRef[]>;
  /** Files that are kept but were not read, or not by this version of the readers. */
  unread(rootId: number): Promise<number[]>;
  /** Removes bytes and rows, and remembers not to keep them again. */
  forget(selection: ForgetSelection): Promise<void>;
  isForgotten(kind: "session" | "file", keys: readonly string[]): Promise<Set<string>>;
  care: Care;
  close(): Promise<void>;
}

/** The questions. They are about one scope: see `Scope`. */
export interface Reads {
  roots(): Promise<KnownRoot[]>;
  sessions(query: SessionQuery): Promise<Page<SessionRow>>;
  /** Grouped by the engine; `queries/` puts prices on the groups. */
  usage(query: BucketQuery): Promise<UsageBuckets>;
  /** Paid replies one by one, in the order of their sessions' beginning; only the owners' ones. */
  replies(query: ReplyQuery): Promise<PaidReply[]>;
  /** On which days there are replies, to make ranges of. */
  times(query: ScopedFilter): Promise<ReplyTimes>;
  /** What programs counted beyond recorded replies, of sessions that match and overlap the times. */
  unrecorded(query: ScopedFilter): Promise<SessionUnrecorded[]>;
  tools(query: ScopedFilter): Promise<ToolBuckets>;
  search(query: TextQuery): Promise<FoundTexts>;
  /** Which sessions continue which. */
  chains(scope: Scope): Promise<Chain[]>;
  /** What was looked at, how it was understood, and what was wrong with it. */
  coverage(query: { scope: Scope; source?: string }): Promise<StoredCoverage>;
}

/**
 * Which roots answers are about: all that are not only visited, or those with these ids. A session
 * that lies in several of them is one session.
 */
export type Scope = "own" | readonly number[];

export interface NewRoot {
  source: string;
  path: string;
  how: RootHow;
}

export interface KnownQuery {
  rootId: number;
  /** Only these paths, or only files that share a key with these. */
  paths?: readonly string[];
  keys?: readonly string[];
  roles?: readonly FileRole[];
  /** Contents that others took the place of, as far as they still tell something; off by default. */
  replaced?: "with" | "without";
}

/** What is stored in one step. */
export interface Batch {
  /** All files and sessions are of this source; its files may lie in several roots. */
  source: string;
  nowMs: number;
  files: readonly FileChange[];
  readings: readonly FileReading[];
  /** Replaces what is known of these sessions. */
  sessions: readonly SessionRows[];
  /** Sessions that no file tells of any more. */
  dropped: readonly string[];
  /** Sessions of which only the project has another name now. */
  projects?: readonly { id: string; project: Project }[];
  /** Roots that were compared with the disk. */
  looked?: readonly LookedRoot[];
}

export interface LookedRoot {
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
  sizeBytes: number;
  /** SHA-256 of the whole content, from its first byte to its last. */
  digest: string;
  /** Later bytes could have been written within the precision of the file's clock. */
  isSettled: boolean;
  /** Only the new part when appended; pieces are valid until the next is asked for. */
  pieces: Iterable<Uint8Array>;
}

/** How a file was read. */
export interface FileReading {
  rootId: number;
  path: string;
  /** Of a replaced content. */
  content?: number;
  format: FormatName;
  generation: string;
  keys: readonly string[];
  sessionIds: readonly string[];
  /** Something of a session came out of it that nothing newer tells. */
  isRead: boolean;
  diagnostics: readonly Diagnostic[];
}

export interface Committed {
  /** Numbers of files by path. */
  files: ReadonlyMap<string, number>;
}

export interface SessionRef {
  source: string;
  id: string;
}

export interface SessionTexts extends SessionRef {
  pieces: readonly TextPiece[];
}

export interface Page<T> {
  items: T[];
  total: number;
  /** Give it back to get the page after this one. */
  next?: string;
}

interface Scoped {
  scope: Scope;
}

export interface ScopedFilter extends Scoped {
  filter: LedgerFilter;
}

export interface SessionQuery extends Scoped {
  /** Exactly these. */
  ids?: readonly string[];
  /** Those whose id begins so. */
  idPrefix?: string;
  filter: SessionFilter;
  sort: SessionSort;
  limit?: number;
  after?: string;
}

/**
 * How usage is grouped. Keys: of a range its number, and `unknown` of a reply without any time; of a
 * model its name without `models/`, or `unknown`; of a project its path, else hash, else name; of
 * tools and MCP servers all names of the reply's calls, sorted, with ` + ` between; of generations
 * those of the session's files in the same way. Model, prompt class, tier and price period are always told apart.
 */
export interface BucketQuery extends ScopedFilter {
  by: readonly BucketKey[];
  /** Half-open ranges of time, in milliseconds; what lies in none of them is left out. */
  ranges?: readonly { from: number; to: number }[];
  /** Instants at which a price changes. */
  priceDates: readonly number[];
  /** Sizes of a prompt at which a price changes. */
  thresholds: readonly number[];
  /** Subsessions for themselves, or with the session that began them. */
  subagents: "separate" | "rolled-up";
}

export type BucketKey =
  | "range"
  | "model"
  | "source"
  | "project"
  | "session"
  | "kind"
  | "status"
  | "root"
  | "generation"
  | "tool"
  | "mcp"
  | "standing";

export interface ReplyQuery extends ScopedFilter {
  sessionIds?: readonly string[];
  /** A reply by its message id, its ledger key, or the beginning of its message id. */
  named?: string;
  /** Only replies whose recorded counts did not add up. */
  odd?: "only";
}

export interface TextQuery extends Scoped {
  expression: SearchExpression;
  roles?: readonly TextRole[];
  filter: SessionFilter;
  limit: number;
}

export interface FoundTexts {
  hits: TextHit[];
  total: number;
  /** `rank`: the best first; `newest`: so many match that the newest are taken. */
  order: "rank" | "newest";
  /** When nothing matches: words of the vocabulary that are near to those asked for. */
  suggestions: string[];
}

export interface ForgetSelection {
  /** Numbers of files, and of replaced contents. */
  files: readonly number[];
  sessions: readonly SessionRef[];
  /** Paths on this machine that are not to be kept again. */
  paths: readonly string[];
  nowMs: number;
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
