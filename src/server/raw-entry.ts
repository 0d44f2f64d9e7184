import type { Place } from "../model/place.ts";
import { PolluxError } from "../model/error.ts";
import type { Session } from "../model/session.ts";
import { fileBytes } from "../sources/bytes.ts";

/** What stands in a file, as it stands there. */
export interface RawEntry {
  file: string;
  line: number;
  start: number;
  end: number;
  /** `null` when the file is no longer there. */
  text: string | null;
  /** The text is only its beginning. */
  isCut: boolean;
}

const MOST_BYTES = 8 << 20;
const MOST_PLACES = 20;

/** Every place where a message was recorded, with its bytes. */
export function rawEntries(session: Session, messageId: string): { entries: RawEntry[] } {
  const message = session.messages.find(({ id }) => id === messageId);
  if (!message) {
    const text = `Session "${session.id}" has no message "${messageId}".`;
    throw new PolluxError("no-such-message", text);
  }
  return { entries: message.places.slice(0, MOST_PLACES).map(rawEntry) };
}

function rawEntry({ file, line, start, end }: Place): RawEntry {
  const stop = Math.min(end, start + MOST_BYTES);
  return { file, line, start, end, text: textAt(file, start, stop), isCut: stop < end };
}

function textAt(file: string, start: number, end: number): string | null {
  try {
    return fileBytes(file).range(start, end).toString("utf8");
  } catch {
    // Deleted since it was read: the answer says so.
    return null;
  }
}
