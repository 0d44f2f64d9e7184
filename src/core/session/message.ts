import type { Place } from "../files/place.ts";
import type { Attachment } from "./attachment.ts";
import type { ToolCall } from "./tool-call.ts";
import type { Counts } from "../usage/counts.ts";

export type Author = "user" | "model" | "notice";

/**
 * A message as recorded in a line or document element, before interpretation gives it a standing.
 */
export interface RecordedMessage {
  id: string;
  /** Id of the message before this one, if recorded. */
  parentId?: string;
  /** No id was recorded; `id` is derived from the content. */
  isUnnamed?: boolean;
  author: Author;
  /** Severity of a notice. */
  level?: "info" | "warning" | "error";
  /** Meaning of a notice, or of an interrupted answer, beyond its text. */
  signal?: "compression" | "cancellation" | "import";
  /** ISO time as recorded. */
  at?: string | undefined;
  model?: string | undefined;
  /** All recorded text except thoughts. */
  text: string;
  /** What the user typed, without referenced files and injected context. */
  typed?: string;
  isPrompt: boolean;
  references: Reference[];
  injections: Injection[];
  thoughts: Thought[];
  toolCalls: ToolCall[];
  /** Tool results that this message returned to the model. */
  results: ToolResult[];
  attachments: Attachment[];
  /** Token counts as recorded. Sums are computed from `Session.replies` only. */
  usage?: Counts | undefined;
  /** Tool calls were recorded explicitly, not inferred from the parts of the content. */
  hasRecordedCalls: boolean;
  /** Whether the content was recorded as a text or as a list of parts. */
  form: "text" | "parts";
  /** Identical for every copy of a message, whatever its id. */
  signature: string;
  /** Signature of each part of a user message that was merged from several. */
  partSignatures: string[];
  place: Place;
}

/** A file or resource whose text was inserted into a prompt. */
export interface Reference {
  path: string;
  content: string;
}

/** Text in a user message that the user did not type. */
export interface Injection {
  kind: InjectionKind;
  text: string;
}

export type InjectionKind =
  | "session-context"
  | "hook-context"
  | "editor-context"
  | "agent-selection"
  | "shell-run"
  | "workspace"
  | "plan-mode"
  | "steering"
  | "background-output"
  | "continuation"
  | "loop-recovery"
  | "agent-recovery"
  | "delegation"
  | "compression-summary"
  | "compression-request"
  | "history-repair"
  | "tool-response"
  | "import-note"
  | "instructions"
  | "environment"
  | "reminder"
  | "slash-command"
  | "command-output"
  | "interruption"
  | "task-notification"
  | "model-switch"
  | "warm-up"
  | "handover-note"
  | "other";

export interface ToolResult {
  callId?: string;
  name?: string;
  output: string;
  outcome: "success" | "error" | "cancelled";
}

export type Standing = "live" | "rewound" | "rewritten";

/** Why a message is no longer part of the context that the model sees. */
export type StandingReason =
  | "rewind"
  | "rollback"
  | "cancel"
  | "compression"
  | "truncation"
  | "masking-copy"
  | "compression-copy"
  | "resume-copy"
  | "chat-copy"
  | "rollback-copy"
  | "fork-copy"
  | "branch"
  | "replaced";

/**
 * A message of a session. Messages are never removed from the list; those that were taken back have
 * another standing.
 */
export interface Message extends RecordedMessage {
  standing: Standing;
  reason?: StandingReason | undefined;
  /** The id of the message that this one repeats. */
  copyOf?: string;
  /**
   * The message comes from the session that this one continues: it is shown here and counted there.
   */
  isInherited?: boolean;
  /** The usage is an early report of a request that another message records in full. */
  isUsageRepeated?: boolean;
  /** Place of `usage`, if it differs from `place`. */
  usagePlace?: Place;
  /** All places where this id was recorded; `place` is the first. */
  places: Place[];
}

export function isLive({ standing }: Pick<Message, "standing">): boolean {
  return standing === "live";
}

/** A person's prompt, or the task given to a subagent. */
export function isRequest(message: Pick<Message, "isPrompt" | "injections">): boolean {
  return message.isPrompt || isTask(message);
}

/** Whether a message holds the task of a subagent. */
export function isTask({ injections }: Pick<Message, "injections">): boolean {
  return injections.some(({ kind }) => kind === "delegation");
}

/** Neither a copy nor inherited from another session. */
export function isOriginal({
  copyOf,
  isInherited,
}: Pick<Message, "copyOf" | "isInherited">): boolean {
  return copyOf === undefined && isInherited !== true;
}

/** Returns the attachments of a message and of its tool calls' results. */
export function attachmentsOf(message: Pick<Message, "attachments" | "toolCalls">): Attachment[] {
  return [
    ...message.attachments,
    ...message.toolCalls.flatMap(({ attachments }) => attachments ?? []),
  ];
}

/** Returns a message with an author and no content. */
export function emptyMessage(author: Author): Omit<RecordedMessage, "id" | "place"> {
  return {
    author,
    text: "",
    isPrompt: false,
    references: [],
    injections: [],
    thoughts: [],
    toolCalls: [],
    results: [],
    attachments: [],
    hasRecordedCalls: false,
    form: "text",
    signature: "",
    partSignatures: [],
  };
}

/** One step of a model's reasoning, as recorded. */
export interface Thought {
  subject: string;
  description: string;
  at?: string;
  /** The text is encrypted: the thought is counted, not shown. */
  isEncrypted?: boolean;
}
