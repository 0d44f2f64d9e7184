import type { Standing } from "../../core/message.ts";
import type { ToolCategory, ToolOutcome } from "../../core/tool-call.ts";
import type { TokenField } from "../../core/counts.ts";
import type { Status } from "../../core/summary.ts";
import type { ReplyPurpose } from "../../core/usage-fact.ts";

/**
 * One thing that happened in a session, in the same shape whatever program recorded it. The shape
 * is a contract: `schemas/events.schema.json` describes it. Unknown is `null`.
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

/** What can be asked for beside prompts and tools. */
export const EVENT_EXTRAS = ["text", "thoughts", "usage"] as const;
export type EventExtra = (typeof EVENT_EXTRAS)[number];

interface EventBase {
  /** Stays the same when the session is read again, has grown, or is asked for with more kinds. */
  id: string;
  sessionId: string;
  source: string;
  /** Counts from 0 within one answer. */
  seq: number;
  /** ISO; `null` only when neither the record nor a file tells any time. */
  timestamp: string | null;
  /** No time was recorded for it: it was put after the one before. */
  isTimestampDerived: boolean;
}

interface SpokenBase extends EventBase {
  messageId: string;
  standing: Standing;
}

export interface SessionStart extends EventBase {
  type: "session_start";
  /** No program records it as such. */
  isSynthesised: true;
  /** Where derived timestamps of this session begin. */
  derivedFrom: "file-name" | "file-time" | null;
  parentSessionId: string | null;
  project: { name: string; path: string | null; hash: string | null };
  title: string | null;
}

export interface UserPrompt extends SpokenBase {
  type: "user_prompt";
  /** A subsession's task comes from the agent that began it. */
  by: "person" | "agent";
  text: string;
  /** Files whose text was put into the prompt. */
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
  /** What went wrong, when it did not succeed. */
  error: string | null;
  /** The output in the record is a preview of a longer text. */
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
  /** With the arithmetic of every report: all usage events of a session add up to its tokens. */
  tokens: Record<TokenField, number | null>;
  /** Of a request beside the conversation: what it was made for. */
  purpose: ReplyPurpose | null;
  /** The final count was never written: it is at least this much. */
  isAtLeast: boolean;
}

export interface SessionEnd extends EventBase {
  type: "session_end";
  isSynthesised: true;
  status: Status;
}

/** What is particular to an event of each type. */
export type EventBody = SessionEvent extends infer Each
  ? Each extends SessionEvent
    ? Omit<Each, keyof SpokenBase>
    : never
  : never;
