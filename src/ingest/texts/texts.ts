import { instantOf } from "../../core/instant.ts";
import type { Author, Message } from "../../core/session/message.ts";
import { optional } from "../../core/optional.ts";
import type { Session } from "../../core/session/session.ts";
import type { TextPiece, TextPlace, TextRole } from "../../core/session/text.ts";
import type { View } from "../../sources/view.ts";

const LONGEST_SPILL = 4 * 1024 * 1024;

/** Injections that are the same in every session are not worth indexing. */
const NOT_SEARCHED = new Set(["session-context", "tool-response"]);

/** Returns the text of a spilled tool output, or undefined if the file is missing. */
export type ReadSpill = (path: string) => string | undefined;

/** Returns all searchable texts of a session. Copies of messages are left out. */
export function textsOf(session: Session, readSpill: ReadSpill): TextPiece[] {
  const answered = callsIn(session);
  const texts = titleTexts(session);
  for (const message of session.messages) {
    for (const text of textsOfMessage(message, { answered, readSpill })) texts.push(text);
  }
  return texts;
}

/** Ids of the calls in a session; their results are indexed with the call. */
export function callsIn({ messages }: Session): Set<string> {
  const calls = new Set<string>();
  for (const { toolCalls } of messages) for (const { id } of toolCalls) calls.add(id);
  return calls;
}

export function textsOfMessage(
  message: Message,
  { answered, readSpill }: { answered: ReadonlySet<string>; readSpill: ReadSpill },
): TextPiece[] {
  const texts: TextPiece[] = [];
  if (message.copyOf !== undefined) return texts;
  addTexts(message, answered, texts);
  addSpilled(message, readSpill, texts);
  return texts;
}

/** The generated title of a session. */
export function titleTexts({ summary, updatedAt, startedAt }: Session): TextPiece[] {
  if (summary === undefined) return [];
  const title = { role: "title", standing: "live", texts: [summary] } as const;
  return [{ ...title, places: [], ...optional("atMs", timeOf(updatedAt ?? startedAt)) }];
}

function addTexts(message: Message, answered: ReadonlySet<string>, into: TextPiece[]): void {
  const said: Said = { message, atMs: timeOf(message.at), places: placesOf(message), into };
  addText(said, OWN_ROLES[message.author], [ownText(message)]);
  const thoughts: string[] = [];
  for (const { subject, description } of message.thoughts) thoughts.push(subject, description);
  addText(said, "thought", thoughts);
  addText(said, "tool", toolTexts(message, answered));
  const others: string[] = [];
  for (const { kind, text } of message.injections) if (!NOT_SEARCHED.has(kind)) others.push(text);
  addText(said, "other", others);
}

interface Said {
  message: Message;
  atMs: number | undefined;
  places: TextPlace[];
  into: TextPiece[];
}

function addText(said: Said, role: TextRole, texts: readonly string[]): void {
  if (texts.every(isBlank)) return;
  const { message, atMs, places, into } = said;
  const { id: messageId, standing } = message;
  const piece: TextPiece = { messageId, role, standing, places, texts };
  if (atMs !== undefined) piece.atMs = atMs;
  into.push(piece);
}

function isBlank(text: string): boolean {
  return text.trim() === "";
}

/** Last record first: it is the fullest. */
function placesOf(message: Message): TextPlace[] {
  const places: TextPlace[] = [];
  for (const { file, start, end } of message.places.toReversed()) {
    places.push({ file, start, end });
  }
  return places;
}

/** Adds spilled tool outputs; the record holds only their beginning. */
function addSpilled(message: Message, readSpill: ReadSpill, into: TextPiece[]): void {
  for (const { spill } of message.toolCalls) {
    const text = spill?.isFound === true ? readSpill(spill.path) : undefined;
    if (!spill || text === undefined) continue;
    const places = [{ file: spill.path, start: 0, end: spill.sizeBytes ?? text.length }];
    addText({ message, atMs: timeOf(message.at), places, into }, "tool", [text]);
  }
}

/** Reads spilled outputs through a home's view; very long ones are truncated. */
export function spillReader(view: View): ReadSpill {
  return (path) => {
    try {
      return view.read(path).slice(0, LONGEST_SPILL);
    } catch {
      // Deleted before it was kept; the session still has its beginning.
      return undefined;
    }
  };
}

function toolTexts(message: Message, answered: ReadonlySet<string>): string[] {
  const texts: string[] = [];
  for (const { name, displayName, args, output } of message.toolCalls) {
    texts.push(name, displayName ?? "");
    addStrings(args, texts);
    texts.push(output ?? "");
  }
  for (const { callId, output } of message.results) {
    if (!answered.has(callId ?? "")) texts.push(output);
  }
  for (const { path, content } of message.references) texts.push(path, content);
  return texts;
}

const OWN_ROLES: Readonly<Record<Author, TextRole>> = {
  model: "answer",
  notice: "other",
  user: "prompt",
};

function ownText({ author, text, typed }: Message): string {
  return author === "user" ? (typed ?? "") : text;
}

/** Adds every string inside a value, without keys. */
function addStrings(value: unknown, into: string[]): void {
  if (typeof value === "string") into.push(value);
  if (typeof value !== "object" || value === null) return;
  for (const inside of Object.values(value)) addStrings(inside, into);
}

function timeOf(at: string | undefined): number | undefined {
  const time = at === undefined ? Number.NaN : instantOf(at);
  return Number.isNaN(time) ? undefined : time;
}
