import type { Library } from "../library/library.ts";
import type { Place } from "../core/place.ts";
import { PolluxError } from "../core/error.ts";
import type { ByteSource } from "../kernel/bytes.ts";
import { fileBytes } from "../kernel/bytes.ts";

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
export function rawEntries(
  library: Library,
  wish: { id: string; messageId: string },
): { entries: RawEntry[] } {
  const session = library.told(wish.id);
  const { messageId } = wish;
  const message = session.messages.find(({ id }) => id === messageId);
  if (!message) {
    const text = `Session "${session.id}" has no message "${messageId}".`;
    throw new PolluxError("no-such-message", text);
  }
  const places = message.places.slice(0, MOST_PLACES);
  return { entries: places.map((place) => rawEntry(place, library)) };
}

function rawEntry(place: Place, library: Library): RawEntry {
  const { file, line, start, end } = place;
  const stop = Math.min(end, start + MOST_BYTES);
  const bytes = keptBytes(file, library) ?? fileBytes(file);
  return { file, line, start, end, text: textAt(bytes, start, stop), isCut: stop < end };
}

/** What is kept is what was read; the file itself may have been written anew, or be gone. */
function keptBytes(path: string, library: Library): ByteSource | undefined {
  if (archiveOf(library) === null) return undefined;
  for (const home of library.archive.shelf.homes) {
    const file = home.files.find((one) => one.path === path);
    if (file) return home.open(file);
  }
  return undefined;
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
