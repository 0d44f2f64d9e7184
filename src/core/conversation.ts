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

/** What some agents put behind a summary in the model's name: no model said it. */
export const SUMMARY_THANKS = "Got it. Thanks for the additional context!";

/** What could not be carried over, or was changed, and why. */
export interface ConversationLoss {
  /** In the singular: `thought`. */
  what: string;
  count: number;
  why: string;
}

/**
 * The first prompt of a handed-over conversation begins with a note: it tells the new agent where
 * the conversation comes from, and readers which session it continues, and up to when:
 *
 *     [Continued from Codex, session 6fe99d1b-… of codex, at 2026-11-15T20:00:00.000Z. Until …]
 */
export function handoverNote({ name, source, sessionId }: ConversationOrigin, at: string): string {
  const id = encodeURIComponent(sessionId.toWellFormed());
  return (
    `[Continued from ${name}, session ${id} of ${source}, at ${at}. ` +
    "Until then it was held there; its tools may have other names here.]"
  );
}

/** What comes first tells all: a text that is cut short may end within the note. */
const NOTE =
  /^\[Continued from [^\n]{1,40}, session ([^\s,]{1,100}) of ([a-z0-9-]{1,40}), at (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)\.[^\n\]]*\]?\n*/;

export interface HandoverNote {
  note: string;
  sessionId: string;
  source: string;
  /** When it was handed over. */
  at: string;
  /** The text without the note. */
  rest: string;
}

/** The note at the beginning of a text. */
export function readHandoverNote(text: string): HandoverNote | undefined {
  const [note = "", id, source, at] = NOTE.exec(text) ?? [];
  if (id === undefined || source === undefined || at === undefined) return undefined;
  return { note: note.trimEnd(), sessionId: idIn(id), source, at, rest: text.slice(note.length) };
}

function idIn(written: string): string {
  try {
    return decodeURIComponent(written);
  } catch {
    // Not written by us: it is taken as it is.
    return written;
  }
}
