import type { OwnLayer } from "./annotation.ts";
import type { Standing } from "./message.ts";
import type { ProjectEvidence } from "./project.ts";
import type { Session } from "./session.ts";
import type { OutcomeCounts } from "./tool-call.ts";
import type { TokenField } from "./counts.ts";

/**
 * How a session ended. The rule: the last message decides. A model's reply with a failed tool call
 * is a failure, any other reply a success; a user's message means that nobody answered. Reality
 * adds three: the person cancelled, nothing was ever said, or only the stub of a resume is left.
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

/** One session on one line: what lists, the library and every door give. Unknown is `null`. */
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
  /** How many times a person asked something, whatever became of it. */
  prompts: number;
  messages: Record<Standing, number>;
  toolCalls: OutcomeCounts;
  models: string[];
  tokens: TokenSums;
  /** The final count of some reply was never written: the tokens are at least these. */
  isAtLeast: boolean;
  compressions: number;
  isImport: boolean;
  files: { path: string; format: string; part: string; sizeBytes: number }[];
  /** Since when none of its files is on the disk any more: it is kept in the archive alone. */
  goneSince: string | null;
  /** What a person put on it; absent when that is nothing. */
  own?: OwnLayer;
}

export interface ProjectAnswer {
  name: string;
  path: string | null;
  hash: string | null;
  knownBy: ProjectEvidence;
}

export type TokenSums = Record<TokenField, number | null>;

/** Of what is not known to have been paid for, or how much. */
export const UNKNOWN_TOKENS: Readonly<TokenSums> = {
  input: null,
  cached: null,
  cacheWrite: null,
  output: null,
  thoughts: null,
  tool: null,
  total: null,
};

/** Of a session in which no model answered. */
export const NO_TOKENS: Readonly<TokenSums> = {
  input: 0,
  cached: 0,
  cacheWrite: 0,
  output: 0,
  thoughts: 0,
  tool: 0,
  total: 0,
};
