/**
 * A conversation prepared for writing in another agent's format: live messages only, in order,
 * cleaned, with new ids and a result for each call. It is independent of any agent's format.
 */
export interface Conversation {
  origin: ConversationOrigin;
  title: string;
  /** The project directory. */
  directory: string;
  branch?: string;
  items: ConversationItem[];
}

export interface ConversationOrigin {
  source: string;
  /** The agent's display name. */
  name: string;
  sessionId: string;
}

/** The first item of a conversation is a prompt or a summary. */
export type ConversationItem =
  /** Replaces everything said before it. */
  | { kind: "summary"; at: string; text: string }
  | { kind: "prompt"; at: string; text: string; pictures: Picture[] }
  | { kind: "answer"; at: string; text: string; calls: HandoverCall[] };

export interface HandoverCall {
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

/** Text that some agents insert after a summary in the model's name. No model produced it. */
export const SUMMARY_ACKNOWLEDGEMENT = "Got it. Thanks for the additional context!";

/** Approximate cost of a picture, whatever its size. */
const PICTURE_TOKENS = 1500;
const CHARACTERS_PER_TOKEN = 4;

/** Approximate number of tokens: agents count them in different ways. */
export function sizeOfItems(items: readonly ConversationItem[]): number {
  return items.reduce((sum, item) => sum + sizeOfItem(item), 0);
}

export function sizeOfItem(item: ConversationItem): number {
  const text = tokensIn(item.text);
  if (item.kind === "summary") return text;
  if (item.kind === "prompt") return text + item.pictures.length * PICTURE_TOKENS;
  return item.calls.reduce((sum, { name, args, output, pictures }) => {
    const words = tokensIn(name) + tokensIn(JSON.stringify(args)) + tokensIn(output);
    return sum + words + pictures.length * PICTURE_TOKENS;
  }, text);
}

export function tokensIn(text: string): number {
  return Math.ceil(text.length / CHARACTERS_PER_TOKEN);
}

/** Content that was dropped or changed by a handover, and why. */
export interface ConversationLoss {
  /** A singular noun: `thought`. */
  what: string;
  count: number;
  why: string;
}

/**
 * The first prompt of a handed-over conversation begins with this note. It tells the new agent
 * where the conversation comes from, and tells Pollux which session it continues and up to when:
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

/**
 * The closing bracket is optional: a text that was cut short may end inside the note, but
 * everything needed comes first.
 */
const NOTE =
  /^\[Continued from [^\n]{1,40}, session ([^\s,]{1,100}) of ([a-z0-9-]{1,40}), at (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)\.[^\n\]]*\]?\n*/;

export interface HandoverNote {
  note: string;
  sessionId: string;
  source: string;
  /** Time of the handover. */
  at: string;
  /** The text without the note. */
  rest: string;
}

/** Parses the note at the beginning of a text. */
export function readHandoverNote(text: string): HandoverNote | undefined {
  const [note = "", id, source, at] = NOTE.exec(text) ?? [];
  if (id === undefined || source === undefined || at === undefined) return undefined;
  return { note: note.trimEnd(), sessionId: idIn(id), source, at, rest: text.slice(note.length) };
}

function idIn(written: string): string {
  try {
    return decodeURIComponent(written);
  } catch {
    // Not written by Pollux: use the id unchanged.
    return written;
  }
}
