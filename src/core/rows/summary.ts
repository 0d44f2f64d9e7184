import type { UserAnnotations } from "../session/annotation.ts";
import type { Standing } from "../session/message.ts";
import type { ProjectEvidence } from "../session/project.ts";
import type { Session } from "../session/session.ts";
import type { OutcomeCounts } from "../session/tool-call.ts";
import type { TokenField } from "../usage/counts.ts";

/**
 * How a session ended. The last message decides: a model's reply with a failed tool call is a
 * failure, any other reply a success, and a user's message means that no answer came. Three more
 * cases: the user cancelled, nothing was said, or only the stub of a resume is left.
 */
export const STATUSES = [
  "success",
  "failure",
  "interrupted",
  "cancelled",
  "empty",
  "stub",
] as const;
export type Status = (typeof STATUSES)[number];

/** One session as lists, the library and every door return it. Unknown is `null`. */
export interface SessionSummary {
  id: string;
  source: string;
  project: ProjectAnswer;
  kind: Session["kind"];
  parentId: string | null;
  parentCallId: string | null;
  title: string | null;
  startedAt: string | null;
  updatedAt: string | null;
  status: Status;
  /** Number of prompts by the user, whatever their standing. */
  prompts: number;
  messages: Record<Standing, number>;
  toolCalls: OutcomeCounts;
  models: string[];
  tokens: TokenSums;
  /** The final count of some reply was never written: the true count may be higher. */
  isAtLeast: boolean;
  /** Web searches that are charged per search, see `SplitUsage`. */
  webSearches: number | null;
  compressions: number;
  isImport: boolean;
  files: { path: string; format: string; part: string; sizeBytes: number }[];
  /** Time since which none of its files is on disk: it is kept only in the archive. */
  goneSince: string | null;
  /** The user's annotations; absent if there are none. */
  own?: UserAnnotations;
}

export interface ProjectAnswer {
  name: string;
  path: string | null;
  hash: string | null;
  knownBy: ProjectEvidence;
}

export type TokenSums = Record<TokenField, number | null>;

/** For sessions whose answers have no recorded counts. */
export const UNKNOWN_TOKENS: Readonly<TokenSums> = {
  input: null,
  cached: null,
  cacheWrite: null,
  output: null,
  thoughts: null,
  tool: null,
  total: null,
};

/** For sessions in which no model answered. */
export const NO_TOKENS: Readonly<TokenSums> = {
  input: 0,
  cached: 0,
  cacheWrite: 0,
  output: 0,
  thoughts: 0,
  tool: 0,
  total: 0,
};
