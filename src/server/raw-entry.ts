import type { Library } from "../library/library.ts";
import type { Place } from "../core/place.ts";
import { PolluxError } from "../core/error.ts";
import type { ByteSource } from "../kernel/bytes.ts";

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

/** Where everything is kept; `null` when the library was opened without an archive. */
export function archiveOf({ archive }: Library): string | null {
  try {
    return archive.path;
  } catch {
    // That is how it says that there is none.
    return null;
  }
}

function textAt(bytes: ByteSource, start: number, end: number): string | null {
  try {
    return bytes.range(start, end).toString("utf8");
  } catch {
    // Deleted since it was read: the answer says so.
    return null;
  }
}
