import type { Library } from "../library/library.ts";
import type { Place } from "../core/files/place.ts";
import { PolluxError } from "../core/error.ts";
import type { ByteSource } from "../kernel/bytes.ts";

/** A record exactly as it is in its file. */
export interface RawEntry {
  file: string;
  line: number;
  start: number;
  end: number;
  /** `null` if the file is gone. */
  text: string | null;
  /** The text is only the beginning. */
  isCut: boolean;
}

const MOST_BYTES = 8 << 20;
const MOST_PLACES = 20;

/** All places where a message is recorded, with their text. */
export async function rawEntries(
  library: Library,
  { id, messageId }: { id: string; messageId: string },
): Promise<{ entries: RawEntry[] }> {
  const { session, open } = await library.recorded(id);
  const message = session.messages.find((each) => each.id === messageId);
  if (!message) {
    const text = `Session "${session.id}" has no message "${messageId}".`;
    throw new PolluxError("no-such-message", text);
  }
  const places = message.places.slice(0, MOST_PLACES);
  return { entries: await Promise.all(places.map((place) => rawEntry(place, open))) };
}

async function rawEntry(
  { file, line, start, end }: Place,
  open: (path: string) => Promise<ByteSource>,
): Promise<RawEntry> {
  const stop = Math.min(end, start + MOST_BYTES);
  const text = textAt(await open(file), start, stop);
  return { file, line, start, end, text, isCut: stop < end };
}

/** Path of the archive; `null` if the library was opened without one. */
export function archiveOf({ archive }: Library): string | null {
  try {
    return archive.path;
  } catch {
    // Throws if there is no archive.
    return null;
  }
}

function textAt(bytes: ByteSource, start: number, end: number): string | null {
  try {
    return bytes.range(start, end).toString("utf8");
  } catch {
    // The file was deleted since it was read.
    return null;
  }
}
