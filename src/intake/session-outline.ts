import type { Session } from "../model/session.ts";
import type { SessionFile } from "../model/session-file.ts";
import type { ByteSource } from "../sources/bytes.ts";
import type { Home } from "./gather.ts";
import { readSessions, sessionFilesOf } from "./gather.ts";

/** A session without its bulk, and the way to the bytes of its files. */
export interface OutlinedSession {
  session: Session;
  open(path: string): ByteSource;
}

/**
 * One session for those who read it value by value, however large it is: what a session is made of
 * is known from its outline, what it says is in the bytes.
 */
export function outlineSession(
  homes: readonly Home[],
  wish: { id: string; paths?: ReadonlySet<string> },
): OutlinedSession | undefined {
  const recorded = wish.id.split("~", 1)[0] ?? wish.id;
  const found = homes.flatMap((home) =>
    sessionFilesOf(home)
      .filter((file) => wish.paths?.has(file.path) ?? peek(home, file) === recorded)
      .map((file) => ({ home, file })),
  );
  const session = readSessions(found, "outline").sessions.find(({ id }) => id === wish.id);
  if (!session) return undefined;
  return {
    session,
    open(path) {
      const place = found.find(({ file }) => file.path === path);
      if (!place) throw new RangeError("no file of this session");
      return place.home.open(place.file);
    },
  };
}

function peek(home: Home, file: SessionFile): string | undefined {
  try {
    return home.source.peekId(home.open(file));
  } catch {
    // A file that cannot be read is reported where all are read; here it names nothing.
    return undefined;
  }
}
