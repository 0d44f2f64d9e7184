import type { InjectionKind, RecordedMessage, Reference } from "../../core/session/message.ts";
import type { Place } from "../../core/files/place.ts";
import type { ToolCall, ToolOutcome } from "../../core/session/tool-call.ts";
import type { TouchedFile } from "../../core/rows/touched-file.ts";
import type { InnerRequest, RecordedUsage } from "./formats/usage.ts";

/** The decoded content of one file: its records in file order, reduced to the fields in use. */
export interface Transcript {
  nodes: Node[];
  titles: Title[];
  queued: Queued[];
  /** Claude Code's own running totals, in file order. */
  costStates: CostState[];
  /**
   * Where a rewind without a new prompt (2.1.325) left the conversation. `after`: nodes before it.
   */
  leaves: { uuid: string; after: number; sessionId?: string }[];
  /** Working folders and branches, in order of appearance. */
  cwds: string[];
  branch?: string;
  /** Versions of Claude Code that wrote the file. */
  versions: string[];
  /** Session ids in its records, the last named at the end. */
  sessionIds: string[];
  /** The first recorded time of any line, including records outside the conversation. */
  firstLineAt?: string;
}

/** A record in the chain of parents. */
export type Node = UserNode | AnswerNode | NoteNode | ContextNode | LinkNode;

export interface NodeBase {
  place: Place;
  /** Unique in its file; derived from the place if none is recorded. */
  uuid: string;
  parent?: string | undefined;
  agentId?: string | undefined;
  isSidechain: boolean;
  at?: string | undefined;
  /** `/branch`: the session that this record was copied from. */
  forkedFrom?: string | undefined;
}

/** `type: "user"`: a prompt, tool results, or text that was not typed. */
export interface UserNode extends NodeBase {
  kind: "user";
  role: UserRole;
  /** Absent at depth "usage". */
  words?: RecordContent;
  results: ResultRecord[];
  /** The agent named by the tool result. */
  agent?: string;
  /** The notification that a background task ended. */
  notification?: TaskNotification;
  /** `/name arguments` of a slash command. */
  command?: string;
  /**
   * The first prompt of a process that resumed the session: with the chain of parents only, or with
   * all that belongs to it.
   */
  resumed?: "parents" | "whole";
  /** First line of the plan that the session begins with. */
  plan?: string;
  /** A hook sent the model back to work. */
  isFeedback?: true;
  /** The session that a compaction's summary refers to for details: a fork copies the summary. */
  summaryOf?: string;
  /** Tells the model that the network cut its answer; the final count of that answer is unknown. */
  isCutNotice?: boolean;
}

/** The content of a record: a message without the fields of its node and without empty lists. */
export type RecordContent = Pick<RecordedMessage, "author"> &
  Partial<
    Pick<
      RecordedMessage,
      | "level"
      | "signal"
      | "model"
      | "text"
      | "typed"
      | "isPrompt"
      | "injections"
      | "thoughts"
      | "toolCalls"
      | "attachments"
      | "form"
    >
  >;

/**
 * - `prompt`: typed by a person
 * - `results`: results of tool calls
 * - `summary`: the summary that a compaction put in place of older messages
 * - `interruption`: the Esc key
 * - `warm-up`: the first prompt of an agent that Claude Code starts for itself
 * - `fork`: instructions of an agent that Claude Code forks from the conversation for itself
 * - `injected`: everything else
 */
export type UserRole =
  | "prompt"
  | "results"
  | "summary"
  | "interruption"
  | "warm-up"
  | "fork"
  | "injected";

/** `type: "assistant"`: a block of an answer, or all of them. */
export interface AnswerNode extends NodeBase {
  kind: "answer";
  /** `message.id`: the same for all records of an answer, in all files. */
  answerId: string;
  model?: string | undefined;
  /** The requested model, if a different one answered (2.1.325). */
  requestedModel?: string;
  usage?: RecordedUsage | undefined;
  inner?: InnerRequest[];
  tier?: string | undefined;
  /** The stop reason is recorded, so the count is final. */
  hasStop: boolean;
  /** It stopped to call a tool. */
  isCalling?: true;
  /** The record has a request id. */
  hasRequest: boolean;
  /** Recorded with cost and duration 0: copied by a resume (0.2). */
  isFree: boolean;
  /** Written by Claude Code without a request: its own text, or the answer of a model. */
  synthetic?: "error" | "notice" | "answer";
  /** Reports that the network cut the answer before it. */
  isCutNotice?: boolean;
  /** Absent at depth "usage". */
  words?: RecordContent;
  /** Of tools that the API ran itself. */
  results?: ResultRecord[];
}

/** `type: "system"`. */
export interface NoteNode extends NodeBase {
  kind: "note";
  /** Set where the conversation was compacted. */
  boundary?: Boundary;
  words?: RecordContent;
  /** The typed prompt that a hook did not let through. */
  blocked?: RecordContent;
}

/** Where a compaction replaced what came before, and which records of that it kept. */
export interface Boundary {
  logicalParent?: string;
  /** The kept records one by one, */
  preserved: string[];
  /** or only the first and the last of them. */
  segment?: { head: string; tail: string };
}

/** `type: "attachment"`: context that Claude Code added to the message before it. */
export interface ContextNode extends NodeBase {
  kind: "context";
  injection?: { kind: InjectionKind; text: string };
  reference?: Reference;
  /** A prompt typed while Claude Code was busy. */
  queued?: string;
  /** A background task ended while Claude Code was busy. */
  notification?: TaskNotification;
  notice?: RecordContent;
}

/** A record without text that others refer to as parent (`progress`, and unknown later types). */
interface LinkNode extends NodeBase {
  kind: "link";
}

/** The result of a tool call. */
export interface ResultRecord {
  callId: string;
  output: string;
  outcome: ToolOutcome;
  /** Short reason of a failure. */
  status?: string;
  /** The agent that the call started. */
  agentId?: string;
  /** The result only reports the start; a notification later reports the end. */
  isLaunch?: boolean;
  display?: ToolCall["display"];
  /** The touched file, with the number of changed lines. */
  touched?: Pick<TouchedFile, "addedLines" | "removedLines"> & { path?: string };
  /** The file with the whole output. */
  spillPath?: string;
}

export interface TaskNotification {
  callId?: string;
  taskId?: string;
  status?: string;
  result?: string;
}

export interface Title {
  kind: "custom" | "generated" | "summary";
  text: string;
  sessionId?: string;
  /** For a summary: the record that it is a title for, in any file. */
  leaf?: string;
}

export interface Queued {
  text: string;
  at?: string;
  sessionId?: string;
  place: Place;
  /** Number of nodes before it. */
  after: number;
}

export interface CostState {
  sessionId?: string;
  /** Number of nodes before it. */
  after: number;
  models: { model: string; usage: RecordedUsage; costUsd?: number }[];
}

export function newTranscript(): Transcript {
  return {
    nodes: [],
    titles: [],
    queued: [],
    costStates: [],
    leaves: [],
    cwds: [],
    versions: [],
    sessionIds: [],
  };
}
