import type { Attachment } from "./attachment.ts";
import type { Place } from "./place.ts";
import type { Thought } from "./thought.ts";
import type { ToolCall } from "./tool-call.ts";
import type { Counts } from "./counts.ts";

export type { Attachment } from "./attachment.ts";

export type Author = "user" | "model" | "notice";

/** One message as a line or an element of a document told it, before replay gives it a standing. */
export interface RecordedMessage {
  id: string;
  /** The message that this one follows, where that is recorded. */
  parentId?: string;
  /** No id was recorded: `id` is made from what the message says. */
  isUnnamed?: boolean;
  author: Author;
  /** Of a notice: how loud it was. */
  level?: "info" | "warning" | "error";
  /** Of a notice, or of an answer that was broken off: what it tells beside its text. */
  signal?: "compression" | "cancellation" | "import";
  /** ISO time as recorded. */
  at?: string | undefined;
  model?: string | undefined;
  /** All recorded text, thoughts left out. */
  text: string;
  /** What a person typed, freed from referenced files and injected context. */
  typed?: string;
  isPrompt: boolean;
  references: Reference[];
  injections: Injection[];
  thoughts: Thought[];
  toolCalls: ToolCall[];
  /** Results that came back to the model in this message. */
  results: ToolResult[];
  attachments: Attachment[];
  /** What the reply cost, as recorded; sums are made from `Session.replies` alone. */
  usage?: Counts | undefined;
  /** Tool calls were recorded as such, not inferred from the parts of the content. */
  hasRecordedCalls: boolean;
  /** How the content was recorded: as a text, or as a list of parts. */
  form: "text" | "parts";
  /** The same for every copy of a message, whatever its id. */
  signature: string;
  /** Of a user message put together from several: the signature of each part. */
  partSignatures: string[];
  place: Place;
}

/** A file or resource whose text was put into a prompt. */
export interface Reference {
  path: string;
  content: string;
}

/** Text in a user message that no person typed. */
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

/** Why a message is no longer part of the conversation as the model remembers it. */
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

/** One message of a session. Nothing leaves the list: what was taken back has another standing. */
export interface Message extends RecordedMessage {
  standing: Standing;
  reason?: StandingReason | undefined;
  /** The id of the message that this one repeats. */
  copyOf?: string;
  /** It was said in another session that this one goes on from: shown here, counted there. */
  isInherited?: boolean;
  /** The usage was an early report of a request that another message records in full. */
  isUsageRepeated?: boolean;
  /** Where `usage` was recorded, when that is not `place`. */
  usagePlace?: Place;
  /** All places where this id was recorded; `place` is the first. */
  places: Place[];
}

export function isLive({ standing }: Pick<Message, "standing">): boolean {
  return standing === "live";
}

/** What was sent along with a message, and what came back with its calls. */
export function attachmentsOf(message: Pick<Message, "attachments" | "toolCalls">): Attachment[] {
  return [
    ...message.attachments,
    ...message.toolCalls.flatMap(({ attachments }) => attachments ?? []),
  ];
}

/** A message of which nothing is known yet but whose it is. */
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
