import type { Annotation } from "../core/session/annotation.ts";
import type { Chain } from "../core/session/chain.ts";
import type { StoredCoverage } from "../core/files/coverage.ts";
import type { ExpiringCount, ExpiryRule } from "../core/files/expiry.ts";
import type { LedgerFilter, SessionFilter, SessionSort } from "../core/filter/filter.ts";
import type { KnownRoot } from "../core/files/kept.ts";
import type { SearchExpression } from "../core/filter/search-expression.ts";
import type { SessionUnrecorded } from "../core/session/session.ts";
import type { SessionLocation, SessionRow } from "../core/rows/session-rows.ts";
import type { SessionSummary } from "../core/rows/summary.ts";
import type { SessionWorkRow } from "../core/rows/session-work.ts";
import type { TextHit, TextRole } from "../core/session/text.ts";
import type { ToolBuckets } from "../core/rows/tool-fact.ts";
import type { PaidReply, ReplyTimes, UsageBuckets } from "../core/usage/usage-fact.ts";

/** The queries of a store. Each returns its whole answer at once. */
export interface Reads {
  roots(): Promise<KnownRoot[]>;
  sessions(query: SessionQuery): Promise<Page<SessionRow>>;
  /** The same pages without facts: half of the size, and enough for lists. */
  summaries(query: SessionQuery): Promise<Page<SessionSummary>>;
  /** The same sessions in the same order, without paging, as source and id only. */
  refs(query: StartQuery): Promise<SessionRef[]>;
  /** Like `refs`, with project, title and files: a fraction of the size of full rows. */
  located(query: RefQuery): Promise<SessionLocation[]>;
  /** Sessions that agents will delete: counts, and the first ones. */
  expiring(query: ExpiryQuery): Promise<Expiring>;
  /** Usage grouped by the engine; `queries/` applies prices to the groups. */
  usage(query: BucketQuery): Promise<UsageBuckets>;
  /** Single paid replies, ordered by session (earliest start first); copies are left out. */
  replies(query: ReplyQuery): Promise<PaidReply[]>;
  /** Days that have paid replies. */
  times(query: ScopedFilter): Promise<ReplyTimes>;
  /** Usage that agents counted but did not record as replies, for sessions active in the period. */
  unrecorded(query: ScopedFilter): Promise<SessionUnrecorded[]>;
  tools(query: ToolQuery): Promise<ToolBuckets>;
  /** The work of the sessions with these ids, unordered, with the replies that each one owns. */
  work(sessionIds: readonly string[]): Promise<SessionWorkRow[]>;
  search(query: TextQuery): Promise<FoundTexts>;
  chains(scope: Scope): Promise<Chain[]>;
  /** Which files were read, how they were recognised, and their diagnostics. */
  coverage(query: CoverageQuery): Promise<StoredCoverage>;
  /** Users' annotations of sessions and messages, in the order of `compareAnnotations`. */
  annotations(query: AnnotationQuery): Promise<Annotation[]>;
}

/**
 * Limits answers to sessions in these roots; `own` means all. A session in several roots counts
 * once; roots with `how: "visited"` are left out of `own`.
 */
export type Scope = "own" | readonly number[];

interface Scoped {
  scope: Scope;
}

export interface ScopedFilter extends Scoped {
  filter: LedgerFilter;
}

export interface Page<T> {
  items: T[];
  /** Number of items on all pages. */
  total: number;
  /** Pass it as `after` to get the next page. */
  next?: string;
}

/** A page of summaries, from one of anything that has a summary. */
export function summaryPage(
  page: Page<{ readonly summary: SessionSummary }>,
): Page<SessionSummary> {
  return { ...page, items: page.items.map(({ summary }) => summary) };
}

export interface SessionRef {
  source: string;
  id: string;
}

export interface RefQuery extends Scoped {
  /** All sessions by default. */
  filter?: SessionFilter;
  /** `newest` by default. */
  sort?: SessionSort;
}

export interface ExpiryQuery extends Scoped {
  filter: SessionFilter;
  rules: readonly ExpiryRule[];
  /** Sessions that expire before this time. */
  beforeMs: number;
  /** Paths of files whose current state is not kept. */
  unkept: ReadonlySet<string> | "all";
  limit?: number | undefined;
}

export interface Expiring {
  /** By agent, unordered; without the limit. */
  counts: ExpiringCount[];
  /** Ordered by the time of deletion, then like a list of the newest. */
  first: SessionLocation[];
}

export interface StartQuery extends RefQuery {
  /** Only sessions whose id starts with one of these. */
  idStarts?: readonly string[];
}

export interface SessionQuery extends StartQuery {
  /** Only sessions with one of these ids. */
  ids?: readonly string[];
  /** Only direct subsessions of this session. */
  parentId?: string;
  limit?: number;
  after?: string;
}

/**
 * How usage is grouped. Buckets are always separate by model, prompt class, price period and tier,
 * because prices depend on them. Group keys:
 *
 * - `range`: the index of the range in the query, from 0
 * - `model`: its name, `unknown` without one
 * - `project`: its path, else its hash, else its name (the label is the name)
 * - `session`: `source:id` (the label is the title); with `rolled-up`, the topmost parent session
 * - `root`: the path of the root that holds the reply's file
 * - `tool`, `mcp`: the names that the reply called, joined by ` + `; `no tool`, `no MCP server` if
 *   none
 * - `generation`: the generations of the session's files, joined by a line feed
 * - `standing`, `purpose` (empty for the conversation itself), `source`, `kind`, `status`: as
 *   stored
 */
export interface BucketQuery extends ScopedFilter {
  by: readonly BucketKey[];
  /** Replies outside all ranges are left out; replies in several ranges are counted in each. */
  ranges?: readonly TimeRange[];
  /** Times at which a price changes, ascending. */
  priceDates: readonly number[];
  /** Prompt sizes above which a price changes, ascending. */
  thresholds: readonly number[];
  /** Whether subagent sessions are counted separately or with their parent session. */
  subagents: "separate" | "rolled-up";
  /**
   * Computes only this half of the answer; the other half is empty. Group labels come with the
   * buckets.
   */
  only?: "buckets" | "sessions";
}

/** `[from, to)` in epoch milliseconds; `timeless`: replies without a known time. */
export type TimeRange = { from: number; to: number } | "timeless";

export type BucketKey =
  | "range"
  | "model"
  | "source"
  | "project"
  | "session"
  | "kind"
  | "status"
  | "root"
  | "tool"
  | "mcp"
  | "standing"
  | "purpose"
  | "generation";

export interface ReplyQuery extends ScopedFilter {
  sessionIds?: readonly string[];
  /**
   * Selects a reply by its id, its ledger key, its message's id, or the start of its message's id.
   */
  named?: string;
  /**
   * - `odd`: only replies whose recorded counts do not add up
   * - `shared-id`: only replies whose message id also occurs in another session of the same source,
   *   without being a copy
   * - `unequal`: instead of replies, their copies with different counts
   */
  only?: "odd" | "shared-id" | "unequal";
}

export interface ToolQuery extends ScopedFilter {
  /** Maximum number of touched files, most often touched first; there may be very many. */
  files?: number;
}

/** Annotations of these sessions; without ids, of all, even if the session is not in the store. */
export interface AnnotationQuery {
  sessionIds?: readonly string[];
}

export interface CoverageQuery extends Scoped {
  source?: string;
}

export interface TextQuery extends Scoped {
  expression: SearchExpression;
  roles?: readonly TextRole[];
  filter: SessionFilter;
  limit: number;
}

/** Up to this many matches are ranked; with more, the newest are returned. */
export const RANKED_TEXTS = 1000;

export interface FoundTexts {
  hits: TextHit[];
  /** Number of matches; a lower bound if it is above RANKED_TEXTS. */
  total: number;
  /** `rank`: best match first; `newest`: too many matches to rank, newest first. */
  order: "rank" | "newest";
  /** If nothing matches: indexed words similar to the search words. */
  suggestions: string[];
}
