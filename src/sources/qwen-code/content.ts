import type { Counts } from "../../core/counts.ts";
import type { RecordedMessage } from "../../core/message.ts";
import type { Place } from "../../core/place.ts";
import type { ToolCall, ToolOutcome } from "../../core/tool-call.ts";

/** What was decoded of a file. */
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

export interface TotalsContent {
  kind: "totals";
  lines: readonly ProcessTotals[];
}

/** What the records of a file say about it as a whole. */
export interface RecordFacts {
  sessionId?: string | undefined;
  /** Working directories, the first one first. */
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

/** A record: a link of the chain, and what it says. */
export type Entry = Link & Saying;

export interface Link {
  uuid: string;
  parentUuid?: string;
  at?: string;
  place: Place;
}

export type Saying =
  /** `copyOf`: a fork begins with the messages of the session that it was made from. */
  | { kind: "message"; message: RecordedMessage; result?: CallResult; copyOf?: string }
  | { kind: "request"; request: PaidRequest }
  | { kind: "tool-event"; event: ToolEvent }
  | { kind: "compression"; history: readonly RecordedMessage[] }
  | { kind: "title"; title: string }
  | { kind: "rewind" }
  /** It says nothing of the conversation; records of artifacts are never the last of the way. */
  | { kind: "link"; isArtifact?: boolean };

/** A completed request to the API, as the telemetry tells it. */
export interface PaidRequest {
  model?: string;
  counts: Counts;
  promptId?: string;
  /** Who asked, when it was not the conversation. */
  agentName?: string;
  agentId?: string;
  /** Tokens that were written to a cache are missing from the counts. */
  isAtLeast?: boolean;
}

/** What the telemetry tells of a tool call. */
export interface ToolEvent {
  call: ToolCall;
  hasCallId: boolean;
  promptId?: string;
}

/** What a record of a result tells beside the result itself. */
export interface CallResult {
  callId?: string;
  status?: string;
  outcome?: ToolOutcome;
  display?: ToolCall["display"];
  /** Of a file that was changed. */
  change?: { path: string; addedLines?: number; removedLines?: number };
  isCut?: boolean;
}

/** One line of `usage_record.jsonl`: what a process used, copied parts included. */
export interface ProcessTotals {
  sessionId: string;
  project?: string;
  startMs: number;
  endMs: number;
  models: { model: string; requests: number; counts: Counts }[];
  /** Its session has no file in the root of these totals. */
  isWithoutFile?: boolean;
}
