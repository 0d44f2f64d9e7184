import type { Attachment } from "../../core/session/attachment.ts";
import type { Place } from "../../core/files/place.ts";
import type { ToolCall, ToolOutcome } from "../../core/session/tool-call.ts";
import type { TouchedFile } from "../../core/rows/touched-file.ts";

/**
 * One decoded rollout file: its header and its records, in file order. A thread, which is a
 * session, usually has one rollout; going back (0.166) adds more.
 */
export interface Rollout {
  /** The first header; any later one was copied with lines of another thread. */
  meta?: Meta;
  /** The thread that the first lines were copied from: its header is the second record. */
  copiedFrom?: string;
  /** The second line is damaged: in a fork it is the header of the other thread. */
  isSecondLost?: boolean;
  entries: Entry[];
  /**
   * Checksums of each line without its time, by line number. Kept only while the file has no turn
   * ids (up to 0.8x): there nothing else identifies copied lines.
   */
  prints: number[];
  /** Milliseconds by line number, for files that begin with a copy and have no turn ids. */
  times: number[];
  lines: number;
  /** The file has turn ids (0.100+). */
  hasTurns: boolean;
  /** Time of the last line. */
  lastAt?: string;
  /** The last name that the thread got while it was open. */
  title?: string;
}

/** Where and when something was recorded. */
export interface Mark {
  place: Place;
  /** Distinguishes records on the same line. */
  key: string;
  at?: string;
  ordinal?: number;
}

export type Entry = Mark & RecordMeaning;

export type RecordMeaning =
  | { kind: "meta"; meta: Meta }
  | { kind: "turn-start"; turnId?: string }
  | { kind: "turn-end"; end: TurnEnd; turnId?: string; error?: string }
  | { kind: "context"; turnId?: string; model?: string; cwd?: string }
  | { kind: "record"; responseId: string; threadId?: string; turnId?: string; usage: Usage }
  | { kind: "counter"; total: Usage; last: Usage }
  | { kind: "rollback"; turns: number }
  | { kind: "compacted"; summary: Text; history?: HistoryMessage[] }
  /** Between responses: Codex's state (up to 0.31), or a counter without counts (0.50+). */
  | { kind: "state" }
  | { kind: "review"; mode: "entered" | "exited" }
  | HistoryMessage
  | { kind: "reasoning"; texts: Text[]; isEncrypted: boolean }
  | { kind: "call"; call: ToolCall }
  | ({ kind: "output" } & Output)
  /** Events: what the user typed and saw. An item holds the same text. */
  | { kind: "prompt"; text: Text; editor?: EditorPrompt; attachments: Attachment[] }
  | { kind: "answer"; text: Text }
  | { kind: "thought"; texts: Text[] }
  | { kind: "inner"; inner: InnerCall }
  | { kind: "agent"; callId: string; agentId: string }
  | { kind: "error"; text: Text }
  | { kind: "unknown"; what: string };

export type TurnEnd = "answered" | "silent" | "interrupted" | "replaced";

export interface Meta {
  threadId?: string;
  startedAt?: string;
  cwd?: string;
  cliVersion?: string;
  git?: { remote?: string; branch?: string };
  /** The thread that the user forked this one from. */
  forkedFrom?: string;
  /** For an agent's thread: the thread that started it, and the kind of agent. */
  parentId?: string;
  subagent?: string;
  /** The name that agents of a team use for it: `/root/counter` (0.147+). */
  agentPath?: string;
  /** The part of another rollout that precedes this one. */
  base?: { rolloutId: string; endOrdinal: number };
  /** The first ordinal of an agent's own lines. */
  ownOrdinal?: number;
}

/** A message of the model's history. */
export interface HistoryMessage {
  kind: "said";
  role: "user" | "assistant" | "developer" | "agent";
  id?: string;
  parts: SaidPart[];
  /** Of the joined text without image wrappers. */
  print: string;
  attachments: Attachment[];
}

export interface SaidPart extends Text {
  /** Recorded kind of the part in newer versions: `user.text`, `agents_md.instructions`, … */
  label?: string;
}

/** A prompt from an editor or the desktop app: what they added, and what was typed. */
export interface EditorPrompt {
  context: string;
  typed: string;
}

/** A text and its fingerprint, which is the same for every copy, even if the text is cut. */
export interface Text {
  text: string;
  print: string;
}

export interface Output {
  callId: string;
  text: string;
  outcome: ToolOutcome;
  attachments: Attachment[];
  /** The thread of the agent that the call started. */
  agentId?: string;
}

/** What Codex recorded about a tool that it ran, apart from the output sent to the model. */
export interface InnerCall {
  /** The call it belongs to; in code mode only order and turn relate them. */
  id: string;
  turnId?: string;
  outcome?: ToolOutcome;
  shellLine?: string;
  files?: TouchedFile[];
  mcp?: { server: string; tool: string };
}

/** Counts as the API reports them: `cached` is part of `input`, `reasoning` of `output`. */
export interface Usage {
  input: number;
  cached: number;
  output: number;
  reasoning: number;
  total: number;
  cacheWrite?: number;
}
