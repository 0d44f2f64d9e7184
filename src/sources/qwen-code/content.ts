import type { Counts } from "../../core/usage/counts.ts";
import type { RecordedMessage } from "../../core/session/message.ts";
import type { Place } from "../../core/files/place.ts";
import type { ToolCall, ToolOutcome } from "../../core/session/tool-call.ts";

/** The decoded content of a file. */
export type QwenContent = RecordsContent | DocumentContent | TotalsContent | { kind: "nothing" };

export interface RecordsContent {
  kind: "records";
  facts: RecordFacts;
  entries: readonly Entry[];
}

export interface DocumentContent {
  kind: "document";
  facts: DocumentFacts;
  messages: readonly RecordedMessage[];
}

interface TotalsContent {
  kind: "totals";
  lines: readonly ProcessTotals[];
}

/** Facts about a file as a whole, from its records. */
export interface RecordFacts {
  sessionId?: string | undefined;
  /** Working directories, in order of appearance. */
  directories: string[];
  branch?: string | undefined;
  forkedFrom?: string | undefined;
  agentId?: string | undefined;
  agentName?: string | undefined;
  firstAt?: string | undefined;
  lastAt?: string | undefined;
}

export interface DocumentFacts {
  sessionId?: string;
  projectHash?: string;
  startedAt?: string;
  updatedAt?: string;
}

/** A record: a link in the chain, and its meaning. */
export type Entry = RecordHeader & RecordMeaning;

export interface RecordHeader {
  uuid: string;
  parentUuid?: string;
  at?: string;
  place: Place;
}

/**
 * `copyOf`: a fork begins with copies of the original session's records. `isSent`: a slash command
 * whose text for the model follows as a user record.
 */
export type RecordMeaning =
  | {
      kind: "message";
      message: RecordedMessage;
      result?: CallResult;
      copyOf?: string;
      failedModel?: string;
      isSent?: boolean;
    }
  | { kind: "request"; request: PaidRequest }
  | { kind: "tool-event"; event: ToolEvent; copyOf?: string }
  | { kind: "compression"; history: readonly RecordedMessage[] }
  | { kind: "title"; title: string }
  | { kind: "rewind" }
  /**
   * Not part of the conversation. Artifact records never count as the last record of the chain.
   * `failedModel`: the model of a request that failed; the totals count it as a request.
   */
  | { kind: "link"; isArtifact?: boolean; failedModel?: string };

export type RequestEntry = Extract<Entry, { kind: "request" }>;

/** A completed request to the API, from the telemetry. */
export interface PaidRequest {
  model?: string;
  counts: Counts;
  promptId?: string;
  /** The agent that made the request, if it was not the conversation. */
  agentName?: string;
  agentId?: string;
  /** The counts lack tokens written to a cache. */
  isAtLeast?: boolean;
}

/** A tool call in the telemetry. */
export interface ToolEvent {
  call: ToolCall;
  hasCallId: boolean;
  promptId?: string;
}

/** Fields of a result record besides the output. */
export interface CallResult {
  callId?: string;
  status?: string;
  outcome?: ToolOutcome;
  display?: ToolCall["display"];
  /** The changed file. */
  change?: { path: string; addedLines?: number; removedLines?: number };
  isCut?: boolean;
}

/** One line of `usage_record.jsonl`: the usage of a process, including copied parts. */
export interface ProcessTotals {
  sessionId: string;
  project?: string;
  startMs: number;
  endMs: number;
  models: { model: string; requests: number; counts: Counts }[];
  /** The session has no file in the root of these totals. */
  isWithoutFile?: boolean;
}
