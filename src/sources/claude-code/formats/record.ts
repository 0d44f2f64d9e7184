import type { InjectionKind, RecordedMessage, Reference } from "../../../core/message.ts";
import type { Place } from "../../../core/place.ts";
import type { ToolCall, ToolOutcome } from "../../../core/tool-call.ts";
import type { TouchedFile } from "../../../core/touched-file.ts";
import type { RecordedUsage } from "./usage.ts";

/** What one file holds: its records in file order, each without what nobody asks for. */
export interface Transcript {
  nodes: Node[];
  titles: Title[];
  queued: Queued[];
  /** The program's own running totals, in file order. */
  costStates: CostState[];
  /** Where a rewind left the conversation without a new prompt (2.1.325), behind how many nodes. */
  leaves: { uuid: string; after: number; sessionId?: string }[];
  /** Working folders and branches, in order of appearance. */
  cwds: string[];
  branch?: string;
  /** Of the programs that wrote it. */
  versions: string[];
  /** Sessions that its records name, the one named last at the end. */
  sessionIds: string[];
  /** The first time that any line tells, records outside of the conversation included. */
  firstLineAt?: string;
}

/** A record that takes part in the chain of parents. */
export type Node = UserNode | AnswerNode | NoteNode | ContextNode | LinkNode;

export interface NodeBase {
  place: Place;
  /** Unique in its file; made from the place where none is recorded. */
  uuid: string;
  parent?: string | undefined;
  agentId?: string | undefined;
  isSidechain: boolean;
  at?: string | undefined;
  /** `/branch`: the session that this record was copied from. */
  forkedFrom?: string | undefined;
}

/** `type: "user"`: a prompt, results of tools, or text that nobody typed. */
export interface UserNode extends NodeBase {
  kind: "user";
  role: UserRole;
  /** Absent at depth "usage". */
  words?: Words;
  results: ResultRecord[];
  /** The agent whose end a result tells. */
  agent?: string;
  /** The end of a background task. */
  notification?: TaskNotification;
  /** `/name arguments` of a slash command. */
  command?: string;
  /** It tells the model that the network cut its answer, whose final count nobody knows then. */
  isCutNotice?: boolean;
}

/** What a record says: a message without what its node tells already, and without empty lists. */
export type Words = Pick<RecordedMessage, "author"> &
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
 * - `prompt`: what a person typed
 * - `results`: of tool calls
 * - `summary`: what a compaction put in the place of older messages
 * - `interruption`: the Esc key
 * - `warm-up`: the first words of an agent that the program starts for itself
 * - `injected`: all else
 */
export type UserRole = "prompt" | "results" | "summary" | "interruption" | "warm-up" | "injected";

/** `type: "assistant"`: a block of an answer, or all of them. */
export interface AnswerNode extends NodeBase {
  kind: "answer";
  /** `message.id`: the same for all records of an answer, in all files. */
  answerId: string;
  model?: string | undefined;
  /** The model that was asked, where another one answered (2.1.325). */
  requestedModel?: string;
  usage?: RecordedUsage | undefined;
  tier?: string | undefined;
  /** The reason why the answer ended is known, and so its final count. */
  hasStop: boolean;
  /** The request that it came with is named. */
  hasRequest: boolean;
  /** Its price is told as none: a resume copied it (0.2). */
  isFree: boolean;
  /** Written by the program without a request: its own words, or what a model said. */
  synthetic?: "error" | "notice" | "answer";
  /** Absent at depth "usage". */
  words?: Words;
}

/** `type: "system"`. */
export interface NoteNode extends NodeBase {
  kind: "note";
  /** Where the conversation was compacted. */
  boundary?: { logicalParent?: string; preserved: string[] };
  words?: Words;
}

/** `type: "attachment"`: what the program added to the message before it. */
export interface ContextNode extends NodeBase {
  kind: "context";
  injection?: { kind: InjectionKind; text: string };
  reference?: Reference;
  /** A prompt that was typed while the program was busy. */
  queued?: string;
  notice?: Words;
}

/** A record without words that others hang on (`progress`, and what later versions bring). */
export interface LinkNode extends NodeBase {
  kind: "link";
}

/** What came back from a tool. */
export interface ResultRecord {
  callId: string;
  output: string;
  outcome: ToolOutcome;
  /** Why it failed, in one word. */
  status?: string;
  /** The agent that the call started. */
  agentId?: string;
  /** Only that it was started: how it ended, a notification tells. */
  isLaunch?: boolean;
  display?: ToolCall["display"];
  /** The file that it touched, with the lines that changed. */
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
  /** Of a summary: the record that it is a title for, in whatever file that stands. */
  leaf?: string;
}

export interface Queued {
  text: string;
  at?: string;
  sessionId?: string;
  place: Place;
  /** How many nodes stand before it. */
  after: number;
}

export interface CostState {
  sessionId?: string;
  /** How many nodes stand before it. */
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
