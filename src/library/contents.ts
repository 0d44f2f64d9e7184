import type { ExportedSession } from "../exports/export.ts";
import type { ExportedFile, ExportRequest } from "../exports/exporting.ts";
import type { SessionFilter } from "../core/filter.ts";
import { keyOf } from "../core/links.ts";
import { optional } from "../core/optional.ts";
import type { SavedChat } from "../core/saved-chat.ts";
import type { Session } from "../core/session.ts";
import type { SessionRow } from "../core/session-rows.ts";
import type { SessionSummary } from "../core/summary.ts";
import { UNKNOWN_TOKENS } from "../core/summary.ts";
import { loadSession, readSession } from "../ingest/read-session.ts";
import type { ByteSource } from "../kernel/bytes.ts";
import { fileBytes } from "../kernel/bytes.ts";
import { promptLogs } from "../ingest/stored-companions.ts";
import { sessionOfChat, sessionOfLog } from "../queries/chat-session.ts";
import type { EventOptions } from "../queries/events.ts";
import type { SessionEvent } from "../queries/events/event.ts";
import type { SecretsAnswer } from "../queries/secrets.ts";
import type { Transcript } from "../queries/transcript.ts";
import { neighboursOf, transcribe } from "../queries/transcript.ts";
import type { SessionRef } from "../store/store.ts";
import { notFound, unreadableSession } from "./naming.ts";
import { ownOfMessages } from "./own-messages.ts";
import { chatsOf, findSession } from "./sessions.ts";
import type { StoreView } from "./store-view.ts";

/** A session of the list, or a chat that was saved by hand. */
export type Named = { kind: "session"; row: SessionRow } | { kind: "chat"; chat: SavedChat };

/** By id, by the beginning of an id, `latest`; of a saved chat also by its tag. */
export async function findNamed(view: StoreView, name: string): Promise<Named> {
  try {
    return { kind: "session", row: await findSession(view, name) };
  } catch (error) {
    const chats = await chatsOf(view);
    const chat = chats.find(({ id }) => id === name) ?? chats.find(({ tag }) => tag === name);
    if (chat) return { kind: "chat", chat };
    throw error;
  }
}

/** Which sessions are meant: the named ones, else those that match. */
export interface Which {
  /** Ids, beginnings of ids, `latest`; of saved chats also their tags. */
  ids?: readonly string[];
  filter?: SessionFilter;
}

export async function findAll(view: StoreView, { ids, filter = {} }: Which): Promise<Named[]> {
  if (ids) {
    const named: Named[] = [];
    for (const name of ids) named.push(await findNamed(view, name));
    return named;
  }
  const { store, scope } = view;
  const query = { scope, filter, sort: "newest" } as const;
  const { items } = await store.sessions({ ...query, ...optional("limit", filter.limit) });
  return items.map((row) => ({ kind: "session", row }));
}

/** Sessions by name, and all of a project (or of all) that were last active before an instant. */
export interface Selection {
  ids?: readonly string[];
  project?: string;
  source?: string;
  beforeMs?: number;
}

export async function selectSessions(
  view: StoreView,
  { ids = [], beforeMs, ...filter }: Selection,
): Promise<SessionRef[]> {
  const rows: SessionRow[] = [];
  for (const name of ids) rows.push(await findSession(view, name));
  if (beforeMs !== undefined || Object.values(filter).some((part) => part !== undefined)) {
    const { store, scope } = view;
    const { items } = await store.sessions({ scope, filter, sort: "newest" });
    const old = items.filter(({ summary }) => {
      const last = Date.parse(summary.updatedAt ?? summary.startedAt ?? "");
      return beforeMs === undefined || last < beforeMs;
    });
    rows.push(...old);
  }
  const refs = rows.map(({ summary: { source, id } }) => ({ source, id }));
  return [...new Map(refs.map((ref) => [keyOf(ref.source, ref.id), ref])).values()];
}

/** In full; of a session, with the replies that it owns. */
export async function readNamed(view: StoreView, named: Named): Promise<Session> {
  return named.kind === "chat"
    ? sessionOfChat(named.chat, named.chat.source)
    : readRow(view, named.row);
}

export async function readRow(view: StoreView, { summary }: SessionRow): Promise<Session> {
  const session = await readSession(view, summary);
  if (!session) throw unreadableSession(summary.id);
  return session;
}

/** One session or saved chat with all its messages, as every door shows it. */
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

/** The sessions before and behind one. */
async function besideOf(
  { store, scope }: StoreView,
  id: string,
): Promise<Pick<Transcript, "continues" | "continuedBy">> {
  const chains = (await store.chains(scope)).filter(({ sessionIds }) => sessionIds.includes(id));
  if (chains.length === 0) return { continues: [], continuedBy: [] };
  const ids = [...new Set(chains.flatMap(({ sessionIds }) => sessionIds))];
  const { items } = await store.sessions({ scope, ids, filter: {}, sort: "newest" });
  return neighboursOf(id, { chains, known: items.map(({ summary }) => summary) });
}

/** A session with the way to its bytes: what is kept is what was read. */
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

/** A session with what others need to write it in their form. */
async function exported(view: StoreView, named: Named): Promise<ExportedSession> {
  const session = await readNamed(view, named);
  const source = view.sources.find(({ id }) => id === session.source);
  const agent = {
    id: session.source,
    name: source?.name ?? session.source,
    ...(source?.modelVendor ? { vendor: source.modelVendor } : {}),
  };
  if (named.kind === "chat") {
    return { session, usage: [], tokens: UNKNOWN_TOKENS, subsessions: [], agent };
  }
  const { store, scope } = view;
  const { summary } = named.row;
  const filter = { source: summary.source };
  const agents = await agentsOf(view, summary);
  const sessionIds = [summary.id, ...agents.map(({ id }) => id)];
  const paid = await store.replies({ scope, filter, sessionIds });
  const owned = (read: Session): Session => {
    const ids = new Set(
      paid.flatMap((reply) => (reply.sessionId === read.id ? [reply.replyId] : [])),
    );
    return { ...read, replies: read.replies.filter(({ id }) => ids.has(id)) };
  };
  const subsessions: Session[] = [];
  for (const begun of agents) {
    const read = await readSession(view, begun);
    if (read) subsessions.push(owned(read));
  }
  const usage = paid.filter(({ sessionId }) => sessionId === summary.id);
  return { session: owned(session), usage, tokens: summary.tokens, subsessions, agent };
}

/** Sessions of the agents that a session began, and of those that they began. */
async function agentsOf(
  { store, scope }: StoreView,
  { source, id }: SessionSummary,
): Promise<SessionSummary[]> {
  const found = new Map<string, SessionSummary>();
  const waiting = [id];
  for (const parentId of waiting) {
    const query = { scope, filter: { source }, sort: "newest", parentId } as const;
    for (const { summary } of (await store.sessions(query)).items) {
      if (summary.id === id || found.has(summary.id)) continue;
      found.set(summary.id, summary);
      waiting.push(summary.id);
    }
  }
  return [...found.values()];
}

/** Sessions in another form, file by file. */
export async function* exportSessions(
  view: StoreView,
  all: readonly Named[],
  { request, homeDir }: { request: ExportRequest; homeDir: string },
): AsyncGenerator<ExportedFile> {
  const { exportFiles } = await import("../exports/exporting.ts");
  const byId = new Map(all.map((named) => [idOf(named), named]));
  const read = async (id: string): Promise<ExportedSession> => {
    const named = byId.get(id);
    if (!named) throw notFound(id);
    return exported(view, named);
  };
  const parentOf = (id: string): string | undefined => {
    const named = byId.get(id);
    return named?.kind === "session" ? (named.row.summary.parentId ?? undefined) : undefined;
  };
  yield* exportFiles(request, { ids: [...byId.keys()], parentOf, read, homeDir });
}

export interface ExportForm {
  name: string;
  title: string;
  extension: string;
  isForPeople: boolean;
}

/** Every form that a session can leave in. */
export async function exportForms(): Promise<ExportForm[]> {
  const { exports } = await import("../exports/index.ts");
  return exports.map(({ name, title, extension, isForPeople = false }) => {
    return { name, title, extension, isForPeople };
  });
}

function idOf(named: Named): string {
  return named.kind === "chat" ? named.chat.id : named.row.summary.id;
}

/** What happened in a session or a saved chat; the first is told before anything is read. */
export async function* namedEvents(
  view: StoreView,
  name: string,
  options: EventOptions,
): AsyncGenerator<SessionEvent> {
  const { eventsOf, firstEventOf } = await import("../queries/events.ts");
  const named = await findNamed(view, name);
  const first = named.kind === "session" ? firstEventOf(named.row) : undefined;
  if (first) yield first;
  const { session } = await exported(view, named);
  for (const event of eventsOf(session, options)) {
    if (!first || event.seq > first.seq) yield event;
  }
}

/** Secrets in the given sessions; in everything there is when none are given. */
export async function secretsIn(
  view: StoreView,
  named: readonly Named[] | undefined,
): Promise<SecretsAnswer> {
  const { findSecrets } = await import("../queries/secrets.ts");
  const { loadScanner } = await import("../queries/redaction/scanner.ts");
  const sessions = named ? readAll(view, named) : readEverything(view);
  return findSecrets(sessions, await loadScanner());
}

async function* readAll(view: StoreView, all: readonly Named[]): AsyncGenerator<Session> {
  for (const named of all) yield readNamed(view, named);
}

async function* readEverything(view: StoreView): AsyncGenerator<Session> {
  const { store, sources, scope } = view;
  const { items } = await store.sessions({ scope, filter: {}, sort: "newest" });
  for (const { summary } of items) {
    const session = await readSession(view, summary);
    if (session) yield session;
  }
  for (const chat of await chatsOf(view)) yield sessionOfChat(chat, chat.source);
  for (const log of await promptLogs(store, { sources, scope }))
    yield sessionOfLog(log, log.source);
}
