import type { SessionFilter } from "../core/filter/filter.ts";
import type { UserAnnotations } from "../core/session/annotation.ts";
import { userAnnotationsOf } from "../core/session/annotation.ts";
import { groupBy } from "../core/group.ts";
import { keyOf } from "../core/session/links.ts";
import { optional } from "../core/optional.ts";
import type { SavedChat } from "../core/session/saved-chat.ts";
import type { Session } from "../core/session/session.ts";
import type { SessionRow } from "../core/rows/session-rows.ts";
import type { StreamedSession } from "../ingest/read-session.ts";
import { loadSession, readSession, streamSession } from "../ingest/read-session.ts";
import type { ByteSource } from "../kernel/bytes.ts";
import { fileBytes } from "../kernel/bytes.ts";
import { promptLogs } from "../ingest/companions/stored-companions.ts";
import { sessionOfChat, sessionOfLog } from "../queries/prompt-logs/chat-session.ts";
import type { SecretsAnswer } from "../queries/secrets.ts";
import type { Transcript } from "../queries/transcript.ts";
import { neighboursOf, transcribe } from "../queries/transcript.ts";
import type { SessionRef } from "../store/store.ts";
import type { SessionSummary } from "../core/rows/summary.ts";
import { sessionNamed, unreadableSession } from "./naming.ts";
import { chatsOf, findSession } from "./sessions.ts";
import type { StoreView } from "./store-view.ts";

/** A session, or a manually saved chat. */
export type NamedConversation =
  | { kind: "session"; row: SessionRow }
  | { kind: "chat"; chat: SavedChat };

/** Finds a session by id, id prefix or `latest`, or a saved chat by id or tag. */
export async function findNamed(view: StoreView, name: string): Promise<NamedConversation> {
  try {
    return { kind: "session", row: await findSession(view, name) };
  } catch (error) {
    const meant = sessionNamed(name, view.sources);
    const all = await chatsOf(view);
    const chats = all.filter(({ source }) => source === (meant.source ?? source));
    const chat =
      chats.find(({ id }) => id === meant.id) ?? chats.find(({ tag }) => tag === meant.id);
    if (chat) return { kind: "chat", chat };
    throw error;
  }
}

/** Selects sessions: the named ones, else those that match the filter. */
export interface SessionSelector {
  /** Ids, id prefixes or `latest`; for saved chats also tags. */
  ids?: readonly string[];
  filter?: SessionFilter;
}

export async function findAll(
  view: StoreView,
  { ids, filter = {} }: SessionSelector,
): Promise<NamedConversation[]> {
  if (ids) {
    const named: NamedConversation[] = [];
    for (const name of ids) named.push(await findNamed(view, name));
    return named;
  }
  const { store, scope } = view;
  const query = { scope, filter } as const;
  const { items } = await store.sessions({ ...query, ...optional("limit", filter.limit) });
  return items.map((row) => ({ kind: "session", row }));
}

/** Sessions by name, and all sessions (of a project) that were last active before a time. */
export interface Selection {
  ids?: readonly string[];
  project?: string;
  /** Of this agent alone, also what is named. */
  source?: string;
  beforeMs?: number;
}

export async function selectSessions(
  view: StoreView,
  { ids = [], beforeMs, ...filter }: Selection,
): Promise<SessionRef[]> {
  const rows: SessionRow[] = [];
  const { source } = filter;
  for (const name of ids) rows.push(await findSession(view, name, optional("source", source)));
  // Beside ids, an agent says whose they are.
  const isMore = beforeMs !== undefined || filter.project !== undefined;
  if (isMore || (ids.length === 0 && source !== undefined)) {
    const { store, scope } = view;
    const { items } = await store.sessions({ scope, filter });
    const old = items.filter(({ summary }) => {
      const last = Date.parse(summary.updatedAt ?? summary.startedAt ?? "");
      return beforeMs === undefined || last < beforeMs;
    });
    rows.push(...old);
  }
  const refs = rows.map(({ summary }) => ({ source: summary.source, id: summary.id }));
  return [...new Map(refs.map((ref) => [keyOf(ref.source, ref.id), ref])).values()];
}

/** Reads the whole session or chat. */
export async function readNamed(view: StoreView, named: NamedConversation): Promise<Session> {
  return named.kind === "chat"
    ? sessionOfChat(named.chat, named.chat.source)
    : readRow(view, named.row);
}

/** The same, with messages as a stream. */
export async function streamNamed(
  view: StoreView,
  named: NamedConversation,
): Promise<StreamedSession> {
  if (named.kind === "chat") {
    const session = sessionOfChat(named.chat, named.chat.source);
    return { session, messages: session.messages };
  }
  const streamed = await streamSession(view, named.row.summary);
  if (!streamed) throw unreadableSession(named.row.summary);
  return streamed;
}

export async function readRow(view: StoreView, { summary }: SessionRow): Promise<Session> {
  const session = await readSession(view, summary);
  if (!session) throw unreadableSession(summary);
  return session;
}

/** A session or saved chat with all its messages, as every interface shows it. */
export async function transcriptOf(view: StoreView, name: string): Promise<Transcript> {
  const named = await findNamed(view, name);
  const { session, messages } = transcribe(await readNamed(view, named));
  if (named.kind === "chat") return { session, messages, continues: [], continuedBy: [] };
  const { summary } = named.row;
  const own = await ownOfMessages(view, summary);
  const annotated = messages.map((message) => {
    return { ...message, ...optional("own", own.get(message.id)) };
  });
  return { session: summary, messages: annotated, ...(await besideOf(view, summary.id)) };
}

/** The sessions that a session continues, and those that continue it. */
async function besideOf(
  { store, scope }: StoreView,
  id: string,
): Promise<Pick<Transcript, "continues" | "continuedBy">> {
  const chains = (await store.chains(scope)).filter(({ sessionIds }) => sessionIds.includes(id));
  if (chains.length === 0) return { continues: [], continuedBy: [] };
  const ids = [...new Set(chains.flatMap(({ sessionIds }) => sessionIds))];
  const { items } = await store.sessions({ scope, ids });
  return neighboursOf(id, { chains, known: items.map(({ summary }) => summary) });
}

/** A session with access to the bytes that it was read from; kept bytes come first. */
export interface RecordedSession {
  session: Session;
  open: (path: string) => Promise<ByteSource>;
}

export async function recordedSession(view: StoreView, name: string): Promise<RecordedSession> {
  const { store } = view;
  const named = await findNamed(view, name);
  const loaded =
    named.kind === "session" ? await loadSession(view, named.row.summary, "full") : undefined;
  const open = async (path: string): Promise<ByteSource> => {
    const own = loaded?.group.find(({ file }) => file.path === path);
    if (loaded && own) return loaded.source.unpacked?.(own.file, own.bytes) ?? own.bytes;
    const [known] = await store.known({ paths: [path] });
    return known ? store.bytes(known) : fileBytes(path);
  };
  return { session: loaded?.session ?? (await readNamed(view, named)), open };
}

/** Finds secrets in the given sessions, or in everything if none are given. */
export async function secretsIn(
  view: StoreView,
  named: readonly NamedConversation[] | undefined,
): Promise<SecretsAnswer> {
  const { findSecrets } = await import("../queries/secrets.ts");
  const { loadScanner } = await import("../queries/redaction/scanner.ts");
  const sessions = named ? readAll(view, named) : readEverything(view);
  return findSecrets(sessions, await loadScanner());
}

async function* readAll(
  view: StoreView,
  all: readonly NamedConversation[],
): AsyncGenerator<Session> {
  for (const named of all) yield readNamed(view, named);
}

async function* readEverything(view: StoreView): AsyncGenerator<Session> {
  const { store, sources, scope } = view;
  const { items } = await store.sessions({ scope });
  for (const { summary } of items) {
    const session = await readSession(view, summary);
    if (session) yield session;
  }
  for (const chat of await chatsOf(view)) yield sessionOfChat(chat, chat.source);
  for (const log of await promptLogs(store, { sources, scope }))
    yield sessionOfLog(log, log.source);
}

/** Users' annotations of a session's messages, by message id. */
async function ownOfMessages(
  { store }: Pick<StoreView, "store">,
  { source, id }: Pick<SessionSummary, "source" | "id">,
): Promise<Map<string, UserAnnotations>> {
  const kept = await store.annotations({ sessionIds: [id] });
  const own = new Map<string, UserAnnotations>();
  for (const [messageId, group] of groupBy(kept, (each) => each.messageId ?? "")) {
    const layer = userAnnotationsOf(group.filter((each) => each.source === source));
    if (layer && messageId !== "") own.set(messageId, layer);
  }
  return own;
}
