import type { Message } from "../core/message.ts";
import type { Place } from "../core/place.ts";
import type { Session } from "../core/session.ts";
import type { TouchedFile } from "../core/touched-file.ts";

/** What a record needs to know of a message before its bytes are read again; a few words. */
export interface OutlinedMessage extends Pick<
  Message,
  "id" | "standing" | "reason" | "copyOf" | "model"
> {
  /** Its calls may have changed files, read them or run commands. */
  hasActs: boolean;
  /** Files that its calls wrote. */
  writtenPaths: readonly string[];
}

export interface SessionOutline extends Pick<Session, "id" | "kind" | "project" | "files"> {
  messages: OutlinedMessage[];
}

/** Where messages stand that the model no longer remembers; most are remembered. */
export function takenBack({ messages }: Session): ReadonlyMap<string, Message> {
  const places = new Map<string, Message>();
  const live = new Set<string>();
  for (const message of messages) {
    for (const place of message.places) {
      if (message.standing === "live") live.add(placeKey(place));
      else places.set(placeKey(place), message);
    }
  }
  // A line may be part of several messages: it is taken back when all of them are.
  for (const key of live) places.delete(key);
  return places;
}

export function placeKey({ file, start }: Place): string {
  return `${start} ${file}`;
}

/** A session of a hundred thousand messages is held in memory while its record is written. */
export function tellingOf(session: Session): SessionOutline {
  const { id, kind, project, files } = session;
  // What only a log remembers stands in no file of the session.
  const own = new Set(files.map(({ path }) => path));
  const messages = session.messages.filter(({ place }) => own.has(place.file)).map(tellingMessage);
  return { id, kind, project, files, messages };
}

const ACTING: ReadonlySet<string> = new Set(["Edit", "Read", "Execute"]);
const NONE: readonly string[] = [];

function tellingMessage(message: Message): OutlinedMessage {
  const { id, standing, reason, copyOf, model, toolCalls } = message;
  const done = toolCalls.filter(({ outcome }) => outcome === "success");
  const touched = done.flatMap((call): TouchedFile[] => call.files ?? []);
  const written = touched.filter(({ how }) => how !== "read").map(({ path }) => path);
  return {
    id,
    standing,
    ...(reason === undefined ? {} : { reason }),
    ...(copyOf === undefined ? {} : { copyOf }),
    ...(model === undefined ? {} : { model }),
    hasActs: toolCalls.some(({ category }) => ACTING.has(category)),
    writtenPaths: written.length === 0 ? NONE : written,
  };
}
