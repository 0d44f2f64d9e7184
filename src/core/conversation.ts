/**
 * A conversation made ready to be written for another agent: only what is live, in order, cleaned,
 * with new ids and a result for each call. Any agent's own form can be made of it.
 */
export interface Conversation {
  /** Where it comes from. */
  origin: ConversationOrigin;
  title: string;
  /** The directory that it is about. */
  directory: string;
  branch?: string;
  items: ConversationItem[];
}

export interface ConversationOrigin {
  source: string;
  /** As people call the agent. */
  name: string;
  sessionId: string;
}

/** Begins with a prompt or a summary. */
export type ConversationItem =
  /** What became of all that was said before. */
  | { kind: "summary"; at: string; text: string }
  | { kind: "prompt"; at: string; text: string; pictures: Picture[] }
  | { kind: "answer"; at: string; text: string; calls: HandedCall[] };

export interface HandedCall {
  /** `handover_1`, …: unique within the conversation. */
  id: string;
  name: string;
  args: object;
  output: string;
  isError: boolean;
  pictures: Picture[];
}

export interface Picture {
  mediaType: string;
  /** Base64. */
  data: string;
}

/** What could not be carried over, or was changed, and why. */
export interface ConversationLoss {
  what: string;
  count: number;
  why: string;
}

/**
 * The first line of a handed-over conversation tells the new agent where it comes from, and readers
 * which session it continues:
 *
 *     [Continued from Claude Code, session 6fe99d1b-… of claude-code. …]
 */
export function handoverNote({ name, source, sessionId }: ConversationOrigin): string {
  return (
    `[Continued from ${name}, session ${sessionId} of ${source}. ` +
    "What follows was said and done there; its tools may have other names here.]"
  );
}

const NOTE =
  /^\[Continued from [^\n]{1,80}, session (\S{1,200}) of ([a-z0-9-]{1,40})\. [^\n\]]*\]\n*/;

/** The note at the beginning of a text, and the text without it. */
export function readHandoverNote(
  text: string,
): { note: string; source: string; sessionId: string; rest: string } | undefined {
  const match = NOTE.exec(text);
  const [note = "", sessionId, source] = match ?? [];
  if (sessionId === undefined || source === undefined) return undefined;
  return { note: note.trimEnd(), source, sessionId, rest: text.slice(note.length) };
}
