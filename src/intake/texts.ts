import type { Message } from "../model/message.ts";
import { optional } from "../model/optional.ts";
import type { Place } from "../model/place.ts";
import type { Session } from "../model/session.ts";
import type { TextPiece, TextRole } from "../model/text.ts";
import type { View } from "../sources/view.ts";

/** A piece of text, with its places by path: which number a file has is known when it is kept. */
export interface PlacedText extends Omit<TextPiece, "places"> {
  places: Pick<Place, "file" | "start" | "end">[];
}

const LONGEST_SPILL = 4 * 1024 * 1024;

/** Injected text that is the same in every session tells nothing about one. */
const NOT_SEARCHED = new Set(["session-context", "tool-response"]);

/** The text of a file that holds the whole of a tool's output; nothing when it is not there. */
export type ReadSpill = (path: string) => string | undefined;

/** All that a search can find in a session. Copies of a message are not found twice. */
export function textsOf(session: Session, readSpill: ReadSpill): PlacedText[] {
  const answered = new Set<string>();
  for (const { toolCalls } of session.messages) for (const { id } of toolCalls) answered.add(id);
  const texts: PlacedText[] = [];
  const { summary } = session;
  if (summary !== undefined) {
    const atMs = timeOf(session.updatedAt ?? session.startedAt);
    const title = { role: "title", standing: "live", texts: [summary] } as const;
    texts.push({ ...title, places: [], ...optional("atMs", atMs) });
  }
  for (const message of session.messages) {
    if (message.copyOf !== undefined) continue;
    addTexts(message, answered, texts);
    texts.push(...spilledTexts(message, readSpill));
  }
  return texts;
}

function addTexts(message: Message, answered: ReadonlySet<string>, into: PlacedText[]): void {
  const { id: messageId, standing } = message;
  const atMs = timeOf(message.at);
  // The last record of a message is its fullest.
  const places = message.places.toReversed().map(({ file, start, end }) => ({ file, start, end }));
  const add = (role: TextRole, texts: readonly string[]): void => {
    if (texts.every((text) => text.trim() === "")) return;
    if (atMs === undefined) into.push({ messageId, role, standing, places, texts });
    else into.push({ messageId, role, standing, atMs, places, texts });
  };
  add(...ownText(message));
  if (message.thoughts.length > 0) {
    add(
      "thought",
      message.thoughts.flatMap(({ subject, description }) => [subject, description]),
    );
  }
  add("tool", toolTexts(message, answered));
  const told = message.injections.filter(({ kind }) => !NOT_SEARCHED.has(kind));
  add(
    "other",
    told.map(({ text }) => text),
  );
}

/** What the record holds only the beginning of. */
function spilledTexts(message: Message, readSpill: ReadSpill): PlacedText[] {
  return message.toolCalls.flatMap(({ spill }): PlacedText[] => {
    const text = spill?.isFound === true ? readSpill(spill.path) : undefined;
    if (!spill || text === undefined || text.trim() === "") return [];
    const { id: messageId, standing } = message;
    const places = [{ file: spill.path, start: 0, end: spill.sizeBytes ?? text.length }];
    const atMs = timeOf(message.at);
    return [
      { messageId, role: "tool", standing, ...optional("atMs", atMs), texts: [text], places },
    ];
  });
}

/** Reads spilled outputs through a home's view; of very long ones, the beginning. */
export function spillReader(view: View): ReadSpill {
  return (path) => {
    try {
      return view.read(path).slice(0, LONGEST_SPILL);
    } catch {
      // Deleted before it could be kept; the session says what is left.
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

function ownText(message: Message): [TextRole, string[]] {
  switch (message.author) {
    case "model":
      return ["answer", [message.text]];
    case "notice":
      return ["other", [message.text]];
    case "user":
      return ["prompt", [message.typed ?? ""]];
    default:
      return message.author satisfies never;
  }
}

/** Every text inside of a value, names left out. */
function addStrings(value: unknown, into: string[]): void {
  if (typeof value === "string") into.push(value);
  if (typeof value !== "object" || value === null) return;
  for (const inside of Object.values(value)) addStrings(inside, into);
}

function timeOf(at: string | undefined): number | undefined {
  const time = at === undefined ? Number.NaN : Date.parse(at);
  return Number.isNaN(time) ? undefined : time;
}
