import type { KnownFile } from "../core/files/kept.ts";
import type { Message } from "../core/session/message.ts";
import { optional } from "../core/optional.ts";
import type { Session } from "../core/session/session.ts";
import type { SessionRow } from "../core/rows/session-rows.ts";
import type { ByteSource } from "../kernel/bytes.ts";
import type { Depth, Source } from "../sources/source.ts";
import type { Scope, SessionRef } from "../store/store.ts";
import type { OpenedFile } from "./decode.ts";
import { fullMessages } from "./full-messages.ts";
import { keptGroups } from "./group-files.ts";
import { readSessions } from "./read-group.ts";
import { LARGE_BYTES } from "./threads/garbage.ts";
import { storedHomes } from "./companions/stored-companions.ts";
import type { SessionStore, StoredHome } from "./stored-home.ts";
import { openKept } from "./stored-home.ts";
import { totalBytes } from "../core/files/session-file.ts";

/** Where to look for a session. */
export interface SessionPlace {
  store: SessionStore;
  sources: readonly Source[];
  scope: Scope;
  /** Kept roots, if already loaded. */
  homes?: readonly StoredHome[];
}

/** A session with the files that it was read from. */
export interface LoadedSession {
  source: Source;
  session: Session;
  /** All files of its group, including its own. */
  group: readonly OpenedFile[];
  /** Returns the bytes of one of its files. */
  open: (path: string) => ByteSource;
}

/** Reads one session in full, from disk or from kept bytes. */
export async function readSession(
  place: SessionPlace,
  ref: SessionRef,
): Promise<Session | undefined> {
  return (await loadSession(place, ref, "full"))?.session;
}

export interface StreamedSession {
  /** At depth "outline" if the session is large. */
  session: Session;
  /** Full messages. Those of a large session are read again on each iteration. */
  messages: Iterable<Message>;
}

/**
 * Reads a session for callers that iterate over its messages: memory does not grow with its size.
 */
export async function streamSession(
  place: SessionPlace,
  ref: SessionRef,
): Promise<StreamedSession | undefined> {
  const loaded = await loadGroup(place, ref);
  if (!loaded) return undefined;
  const { source, group } = loaded;
  const bytes = totalBytes(group.map(({ file }) => file));
  const depth = bytes > LARGE_BYTES ? "outline" : "full";
  const session = sessionIn(loaded, depth);
  if (!session) return undefined;
  if (depth === "full") return { session, messages: session.messages };
  return {
    session,
    messages: { [Symbol.iterator]: () => fullMessages({ source, group, session }) },
  };
}

/**
 * Reads one session and gives access to its bytes. With depth "outline" a caller can handle a
 * session of any size: the outline has the structure, and texts are read from the bytes.
 */
export async function loadSession(
  place: SessionPlace,
  ref: SessionRef,
  depth: Depth,
): Promise<LoadedSession | undefined> {
  const loaded = await loadGroup(place, ref);
  const session = loaded && sessionIn(loaded, depth);
  if (!session) return undefined;
  const { source, group } = loaded;
  return { source, session, group, open: opener(group) };
}

/** The files of a session's group, not decoded yet. */
interface LoadedGroup {
  source: Source;
  row: SessionRow;
  group: OpenedFile[];
  /** The kept files, by path. */
  known: ReadonlyMap<string, KnownFile>;
}

export async function loadGroup(
  place: SessionPlace,
  ref: SessionRef,
): Promise<LoadedGroup | undefined> {
  const { store, scope } = place;
  const source = place.sources.find(({ id }) => id === ref.source);
  const filter = { source: ref.source };
  const { items } = await store.sessions({ scope, ids: [ref.id], filter });
  const [row] = items;
  return source && row && { source, row, ...(await groupOf(place, source, row)) };
}

/** Opens all files that share keys with those of a session, directly or through other files. */
async function groupOf(
  { store, homes: known }: SessionPlace,
  source: Source,
  { session }: SessionRow,
): Promise<{ group: OpenedFile[]; known: Map<string, KnownFile> }> {
  const own = new Set(session.files.map(({ path }) => path));
  // A replaced content is looked up by its original path.
  const places = session.files.map(({ path, replacedPath }) => replacedPath ?? path);
  const paths = [...new Set(places)];
  const there = await store.known({ source: source.id, paths, replaced: "with" });
  const files = there.filter(({ path }) => own.has(path));
  const connected = (await keptGroups(store, source, files)).flat();
  const roots = new Set(connected.map(({ rootId }) => rootId));
  // Another machine may have been added since the roots were loaded.
  const isComplete = [...roots].every((id) => known?.some(({ root }) => root.id === id));
  const homes = known && isComplete ? known : await storedHomes(store, [source]);
  return {
    group: await openKept(store, connected, homes),
    known: new Map(connected.map((file) => [file.path, file])),
  };
}

/**
 * Decodes a group, and adds what only the store knows of its session: project and parent from all
 * sessions, and when files disappeared.
 */
function sessionIn({ source, row, group, known }: LoadedGroup, depth: Depth): Session | undefined {
  const { id, project, parentId, parentCallId } = row.session;
  const session = readSessions(source, group, depth).find((read) => read.id === id);
  return (
    session && {
      ...session,
      project,
      ...optional("parentId", parentId),
      ...optional("parentCallId", parentCallId),
      files: session.files.map((file) => {
        return { ...file, ...optional("goneSinceMs", known.get(file.path)?.goneSinceMs) };
      }),
    }
  );
}

/** Separate from the session, so that holding the opener does not hold all messages. */
function opener(group: readonly OpenedFile[]): (path: string) => ByteSource {
  return (path) => {
    const found = group.find(({ file }) => file.path === path);
    if (!found) throw new RangeError("no file of this session");
    return found.bytes;
  };
}
