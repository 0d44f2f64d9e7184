import type { Standing } from "../../core/session/message.ts";
import type { ToolCategory, ToolOutcome } from "../../core/session/tool-call.ts";
import type { TokenField } from "../../core/usage/counts.ts";
import type { Status } from "../../core/rows/summary.ts";
import type { ReplyPurpose } from "../../core/usage/usage-fact.ts";

/**
 * One event of a session, in the same shape for every agent. The shape is a contract, described by
 * `schemas/events.schema.json`. Unknown is `null`.
 */
export type SessionEvent =
  | SessionStart
  | UserPrompt
  | ToolUse
  | ToolResultEvent
  | ModelText
  | ModelThought
  | UsageEvent
  | SessionEnd;

/** Optional event kinds, in addition to prompts and tools. */
export const EVENT_EXTRAS = ["text", "thoughts", "usage"] as const;
export type EventExtra = (typeof EVENT_EXTRAS)[number];

interface EventBase {
  /** Stable when the session is read again, has grown, or is read with more kinds. */
  id: string;
  sessionId: string;
  source: string;
  /** Counts from 0 within one answer. */
  seq: number;
  /** ISO; `null` only if neither the record nor a file has a time. */
  timestamp: string | null;
  /** No time was recorded; it is derived from the event before. */
  isTimestampDerived: boolean;
}

interface SpokenBase extends EventBase {
  messageId: string;
  standing: Standing;
}

export interface SessionStart extends EventBase {
  type: "session_start";
  /** Always true: no agent records a session start. */
  isSynthesised: true;
  /** Source of the derived timestamps of this session. */
  derivedFrom: "file-name" | "file-time" | null;
  parentSessionId: string | null;
  project: { name: string; path: string | null; hash: string | null };
  title: string | null;
}

export interface UserPrompt extends SpokenBase {
  type: "user_prompt";
  /** The task of a subsession comes from the agent that started it. */
  by: "person" | "agent";
  text: string;
  /** Files whose text was inserted into the prompt. */
  files: string[];
  attachments: number;
}

export interface ToolUse extends SpokenBase {
  type: "tool_use";
  callId: string;
  tool: EventTool;
  input: unknown;
}

export interface ToolResultEvent extends SpokenBase {
  type: "tool_result";
  callId: string;
  tool: EventTool;
  outcome: ToolOutcome;
  output: string | null;
  /** Error message if the call did not succeed. */
  error: string | null;
  /** The recorded output is only a preview of a longer text. */
  isCut: boolean;
}

export interface EventTool {
  name: string;
  canonical: string;
  category: ToolCategory;
  mcp: { server: string; tool: string } | null;
}

export interface ModelText extends SpokenBase {
  type: "model_text";
  model: string | null;
  text: string;
}

export interface ModelThought extends SpokenBase {
  type: "model_thought";
  subject: string;
  description: string;
}

export interface UsageEvent extends SpokenBase {
  type: "usage";
  model: string | null;
  /** Computed like every report: the usage events of a session add up to its tokens. */
  tokens: Record<TokenField, number | null>;
  /** Purpose of a request outside the conversation. */
  purpose: ReplyPurpose | null;
  /** The final count was never recorded; the true count may be higher. */
  isAtLeast: boolean;
  /** Web searches that the vendor ran; `null` if the agent does not record them. */
  webSearches: number | null;
}

export interface SessionEnd extends EventBase {
  type: "session_end";
  isSynthesised: true;
  status: Status;
}

/** The fields that are specific to each event type. */
export type EventBody = SessionEvent extends infer Each
  ? Each extends SessionEvent
    ? Omit<Each, keyof SpokenBase>
    : never
  : never;
