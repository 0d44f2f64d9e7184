import type { Session } from "../core/session.ts";
import type { SessionFile } from "../core/session-file.ts";
import type { ByteSource } from "../kernel/bytes.ts";
import type { Home } from "./gather.ts";
import { peekBytes, readSessions, sessionFilesOf } from "./gather.ts";

/** A session without its bulk, and the way to the bytes of its files. */
export interface OutlinedSession {
  session: Session;
  open: (path: string) => ByteSource;
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
      .filter((file) => wish.paths?.has(file.path) ?? nameOf(home, file) === recorded)
      .map((file) => ({ home, file })),
  );
  const session = readSessions(found, "outline").sessions.find(({ id }) => id === wish.id);
  return session && { session, open: opener(found) };
}

/** Apart from the session: whoever holds it shall not hold all its messages. */
function opener(found: readonly { home: Home; file: SessionFile }[]): (path: string) => ByteSource {
  return (path) => {
    const place = found.find(({ file }) => file.path === path);
    if (!place) throw new RangeError("no file of this session");
    return place.home.open(place.file);
  };
}

function nameOf(home: Home, file: SessionFile): string | undefined {
  return peekBytes(home.source, home.open(file));
}
