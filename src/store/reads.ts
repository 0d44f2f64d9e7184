import type { Annotation } from "../core/annotation.ts";
import type { Chain } from "../core/chain.ts";
import type { StoredCoverage } from "../core/coverage.ts";
import type { LedgerFilter, SessionFilter, SessionSort } from "../core/filter.ts";
import type { KnownRoot } from "../core/kept.ts";
import type { SearchExpression } from "../core/search-expression.ts";
import type { FileRole } from "../core/session-file.ts";
import type { SessionUnrecorded } from "../core/session.ts";
import type { LocatedSession, SessionRow } from "../core/session-rows.ts";
import type { TextHit, TextRole } from "../core/text.ts";
import type { ToolBuckets } from "../core/tool-fact.ts";
import type { PaidReply, ReplyTimes, UsageBuckets } from "../core/usage-fact.ts";

/** The questions. Each is answered in one piece. */
export interface Reads {
  roots(): Promise<KnownRoot[]>;
  sessions(query: SessionQuery): Promise<Page<SessionRow>>;
  /** The same sessions in the same order, all of them and by their names alone. */
  refs(query: RefQuery): Promise<SessionRef[]>;
  /** And by where they lie: a fraction of what all of their rows take. */
  located(query: RefQuery): Promise<LocatedSession[]>;
  /** Grouped by the engine; `queries/` puts prices on the groups. */
  usage(query: BucketQuery): Promise<UsageBuckets>;
  /** Paid replies one by one, session after session (the first begun first); only owned ones. */
  replies(query: ReplyQuery): Promise<PaidReply[]>;
  /** On which days replies were paid for. */
  times(query: ScopedFilter): Promise<ReplyTimes>;
  /**
   * What programs counted beyond their recorded replies; sessions that were active in the period.
   */
  unrecorded(query: ScopedFilter): Promise<SessionUnrecorded[]>;
  tools(query: ToolQuery): Promise<ToolBuckets>;
  search(query: TextQuery): Promise<FoundTexts>;
  /** Which sessions continue which. */
  chains(scope: Scope): Promise<Chain[]>;
  /** What was looked at, how it was understood, and what was wrong with it. */
  coverage(query: CoverageQuery): Promise<StoredCoverage>;
  /** What files beside the sessions tell: saved chats, prompt logs. */
  leftovers(scope: Scope): Promise<Leftover[]>;
  /** What people put on sessions and messages, in the order of `compareAnnotations`. */
  annotations(query: AnnotationQuery): Promise<Annotation[]>;
}

/**
 * Which sessions answers are about: all, or those that lie in one of these roots. A session that
 * lies in several roots is one session; roots that were only visited have none.
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
  /** Of all pages together. */
  total: number;
  /** Give it back as `after` to get the page behind this one. */
  next?: string;
}

export interface SessionRef {
  source: string;
  id: string;
}

export interface RefQuery extends Scoped {
  filter: SessionFilter;
  sort: SessionSort;
}

export interface SessionQuery extends RefQuery {
  /** Only sessions with one of these ids. */
  ids?: readonly string[];
  /** Only sessions whose id begins so. */
  idStart?: string;
  /** Only sessions that this one began. */
  parentId?: string;
  limit?: number;
  after?: string;
}

/**
 * How usage is grouped. Model, prompt class, price period and tier are always told apart, because
 * prices depend on them. Keys of groups:
 *
 * - `range`: the number of the range in the query, from 0
 * - `model`: its name, `unknown` without one
 * - `project`: its path, else its hash, else its name (which is the label)
 * - `session`: its id (the title is the label); with `rolled-up`, of the session that began it all
 * - `root`: the path of the root that holds the reply's file
 * - `tool`, `mcp`: what the reply called, joined by ` + `; `no tool`, `no MCP server` when nothing
 * - `generation`: the generations of the session's files, joined by a line feed
 * - `standing`, `purpose` (empty for the conversation itself), `source`, `kind`, `status`: as they
 * are
 */
export interface BucketQuery extends ScopedFilter {
  by: readonly BucketKey[];
  /** What lies in none of them is left out; what lies in several is counted in each. */
  ranges?: readonly TimeRange[];
  /** Instants at which a price changes, in order. */
  priceDates: readonly number[];
  /** Sizes of a prompt above which a price changes, in order. */
  thresholds: readonly number[];
  /** Whether sessions of subagents are counted for themselves or with the one that began them. */
  subagents: "separate" | "rolled-up";
  /**
   * Only one half of the answer: the other one is empty, and costs nothing. Labels of groups are
   * told with the buckets.
   */
  only?: "buckets" | "sessions";
}

/** `[from, to)` in epoch milliseconds; `timeless`: replies of which no time is known. */
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
  /** A reply by its id, its message's id, its ledger key, or the beginning of its message's id. */
  named?: string;
  /**
   * `odd`: only those whose recorded counts did not add up. `shared-id`: only those with a message
   * id that a reply of another session has, too, of the same source, without being a copy of it.
   * `unequal`: instead of replies, those copies of them that have other counts.
   */
  only?: "odd" | "shared-id" | "unequal";
}

export interface ToolQuery extends ScopedFilter {
  /** At most so many touched files, those touched most; there may be very many. */
  files?: number;
}

/** Of these sessions; of all without ids. Whether the sessions are there does not matter. */
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

/** So many matches are ranked; of more, the newest are given. */
export const RANKED_TEXTS = 1000;

export interface FoundTexts {
  hits: TextHit[];
  /** How many match; above RANKED_TEXTS, at least so many. */
  total: number;
  /** `rank`: the best first; `newest`: so many match that the newest are taken. */
  order: "rank" | "newest";
  /** When nothing matches: words of the vocabulary that are near to those asked for. */
  suggestions: string[];
}

/** What a file tells that is no session; `value` is as it was committed. */
export interface Leftover {
  rootId: number;
  path: string;
  role: FileRole;
  value: unknown;
}
