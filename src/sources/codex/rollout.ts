import type { Attachment } from "../../core/message.ts";
import type { Place } from "../../core/place.ts";
import type { ToolCall, ToolOutcome } from "../../core/tool-call.ts";
import type { TouchedFile } from "../../core/touched-file.ts";

/**
 * One rollout file, decoded: its header and what was recorded, in file order. A thread (what people
 * call a session) is usually one rollout; going back (0.166) adds further ones.
 */
export interface Rollout {
  /** The first header; any other one was copied together with the lines of another thread. */
  meta?: Meta;
  /** The thread whose lines the file begins with: its header is the second record. */
  copiedFrom?: string;
  entries: Entry[];
  /**
   * What stands on each line behind its time, as a check sum, by line number. Only as long as the
   * file names no turns (up to 0.8x): copied lines can be told in no other way.
   */
  prints: number[];
  /** Milliseconds by line number; of files that begin with a copy and name no turns. */
  times: number[];
  lines: number;
  /** It names turns by ids (0.101+). */
  hasTurns: boolean;
  /** Of its last line. */
  lastAt?: string;
}

/** Where and when something was recorded. */
export interface Mark {
  place: Place;
  /** Tells records apart that stand on one line. */
  key: string;
  at?: string;
  ordinal?: number;
}

export type Entry = Mark & Act;

export type Act =
  | { kind: "meta"; meta: Meta }
  | { kind: "turn-start"; turnId?: string }
  | { kind: "turn-end"; end: TurnEnd; turnId?: string; error?: string }
  | { kind: "context"; turnId?: string; model?: string; cwd?: string }
  | { kind: "record"; responseId: string; threadId?: string; turnId?: string; usage: Usage }
  | { kind: "counter"; total: Usage; last: Usage }
  | { kind: "rollback"; turns: number }
  | { kind: "compacted"; summary: Text; history?: Said[] }
  /** Up to 0.31 the program notes its state between responses. */
  | { kind: "state" }
  | { kind: "review"; mode: "entered" | "exited" }
  | Said
  | { kind: "reasoning"; texts: Text[]; isEncrypted: boolean }
  | { kind: "call"; call: ToolCall }
  | ({ kind: "output" } & Output)
  /** Events: what the person typed and was shown. The same text stands in an item, too. */
  | { kind: "prompt"; text: Text; attachments: Attachment[] }
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
  /** The thread that a person left to go on in this one. */
  forkedFrom?: string;
  /** Of an agent's thread: the one that started it; the kind of agent. */
  parentId?: string;
  subagent?: string;
  /** The name by which agents of a team speak of it: `/root/counter` (0.147+). */
  agentPath?: string;
  /** Lines of another rollout that stand before this one's. */
  base?: { rolloutId: string; endOrdinal: number };
  /** From here on an agent's lines are its own. */
  ownOrdinal?: number;
}

/** A message of the model's history. */
export interface Said {
  kind: "said";
  role: "user" | "assistant" | "developer" | "agent";
  id?: string;
  parts: SaidPart[];
  /** Of all that is no wrapper of a picture, together. */
  print: string;
  attachments: Attachment[];
}

export interface SaidPart extends Text {
  /** What newer versions say a part is: `user.text`, `agents_md.instructions`, … */
  label?: string;
}

/** A text, with what is the same for every copy of it, whatever is left of its words. */
export interface Text {
  text: string;
  print: string;
}

export interface Output {
  callId: string;
  text: string;
  outcome: ToolOutcome;
  attachments: Attachment[];
  /** What a call that starts an agent answers: the agent's thread. */
  agentId?: string;
}

/** What the program says about one tool that it ran, apart from what it told the model. */
export interface InnerCall {
  /** The call it belongs to; in code mode only order and turn connect them. */
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
