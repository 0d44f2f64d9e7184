import type { Message } from "../model/message.ts";
import { optional } from "../model/optional.ts";
import type { Place } from "../model/place.ts";
import type { Session } from "../model/session.ts";
import type { TextPiece, TextRole } from "../model/text.ts";
import type { ToolCall } from "../model/tool-call.ts";
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
  const answered = new Set(
    session.messages.flatMap(({ toolCalls }) => toolCalls.map(({ id }) => id)),
  );
  const texts = session.messages
    .filter(({ copyOf }) => copyOf === undefined)
    .flatMap((message) => [
      ...textsOfMessage(message, answered),
      ...spilledTexts(message, readSpill),
    ]);
  const { summary } = session;
  if (summary === undefined) return texts;
  const atMs = timeOf(session.updatedAt ?? session.startedAt);
  const title = { role: "title", standing: "live", texts: [summary] } as const;
  return [{ ...title, places: [], ...optional("atMs", atMs) }, ...texts];
}

function textsOfMessage(message: Message, answered: ReadonlySet<string>): PlacedText[] {
  const atMs = timeOf(message.at);
  const base = {
    messageId: message.id,
    standing: message.standing,
    ...optional("atMs", atMs),
    // The last record of a message is its fullest.
    places: message.places.toReversed().map(({ file, start, end }) => ({ file, start, end })),
  };
  return partsOf(message, answered)
    .filter(([, texts]) => texts.some((text) => text.trim() !== ""))
    .map(([role, texts]) => ({ ...base, role, texts }));
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

function partsOf(message: Message, answered: ReadonlySet<string>): [TextRole, string[]][] {
  const thoughts = message.thoughts.flatMap(({ subject, description }) => [subject, description]);
  const told = message.injections.filter(({ kind }) => !NOT_SEARCHED.has(kind));
  const references = message.references.flatMap(({ path, content }) => [path, content]);
  const results = message.results.filter(({ callId }) => !answered.has(callId ?? ""));
  const tools = [
    ...message.toolCalls.flatMap(textsOfCall),
    ...results.map(({ output }) => output),
    ...references,
  ];
  return [
    ownText(message),
    ["thought", thoughts],
    ["tool", tools],
    ["other", told.map(({ text }) => text)],
  ];
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

function textsOfCall(call: ToolCall): string[] {
  const { name, displayName, args, output } = call;
  return [name, displayName ?? "", ...stringsIn(args), output ?? ""];
}

/** Every text inside of a value, names left out. */
function stringsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(stringsIn);
}

function timeOf(at: string | undefined): number | undefined {
  const time = at === undefined ? Number.NaN : Date.parse(at);
  return Number.isNaN(time) ? undefined : time;
}
