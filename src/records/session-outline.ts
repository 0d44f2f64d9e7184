import type { Message } from "../core/session/message.ts";
import type { Place } from "../core/files/place.ts";
import type { Session } from "../core/session/session.ts";
import type { TouchedFile } from "../core/rows/touched-file.ts";

/** The data of a message that a record needs before it reads the bytes again; kept small. */
export interface OutlinedMessage extends Pick<
  Message,
  "id" | "standing" | "reason" | "copyOf" | "model"
> {
  /** Whether its calls may have changed or read files, or run commands. */
  hasActs: boolean;
  /** Files that its calls wrote. */
  writtenPaths: readonly string[];
}

export interface SessionOutline extends Pick<Session, "id" | "kind" | "project" | "files"> {
  messages: OutlinedMessage[];
}

/** Messages that are not live, by the places of their lines. */
export function takenBack({ messages }: Session): ReadonlyMap<string, Message> {
  const places = new Map<string, Message>();
  const live = new Set<string>();
  for (const message of messages) {
    for (const place of message.places) {
      if (message.standing === "live") live.add(placeKey(place));
      else places.set(placeKey(place), message);
    }
  }
  // A line may belong to several messages; it counts only if none of them is live.
  for (const key of live) places.delete(key);
  return places;
}

export function placeKey({ file, start }: Place): string {
  return `${start} ${file}`;
}

/** Kept small: it stays in memory while the record of up to 100,000 messages is written. */
export function outlineOfSession(session: Session): SessionOutline {
  const { id, kind, project, files } = session;
  // Messages known only from a prompt log are in none of the session's files.
  const own = new Set(files.map(({ path }) => path));
  const messages = session.messages.filter(({ place }) => own.has(place.file)).map(outlineMessage);
  return { id, kind, project, files, messages };
}

const ACTING: ReadonlySet<string> = new Set(["Edit", "Read", "Execute"]);
const NONE: readonly string[] = [];

function outlineMessage(message: Message): OutlinedMessage {
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
