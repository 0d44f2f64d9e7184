import type { ExportedFile, ExportRequest } from "../exports/exporting.ts";
import type { ExportedSession } from "../exports/export.ts";
import type { Shelf } from "../ingest/session-source.ts";
import type { Session } from "../core/session.ts";
import { UNKNOWN_TOKENS } from "../core/summary.ts";
import { sessionOfChat, sessionOfLog } from "../queries/chat-session.ts";
import { unreadableSession } from "./naming.ts";
import type { EventOptions } from "../queries/events.ts";
import type { SessionEvent } from "../queries/events/event.ts";
import type { SecretsAnswer } from "../queries/secrets.ts";
import type { Source } from "../sources/source.ts";

/**
 * The part of the library that hands sessions on: as events, in other forms, and what must not be
 * handed on. Each is loaded when it is asked for.
 */
export class ExportDesk {
  readonly #shelf: Shelf;
  readonly #sources: readonly Source[];
  readonly #homeDir: string;

  constructor(shelf: Shelf, sources: readonly Source[], homeDir: string) {
    this.#shelf = shelf;
    this.#sources = sources;
    this.#homeDir = homeDir;
  }

  /** The saved chat that is called so, by its id or its tag, told as a session. */
  chat(wish: string): Session | undefined {
    const chats = this.#shelf.savedChats();
    const chat = chats.find(({ id }) => id === wish) ?? chats.find(({ tag }) => tag === wish);
    return chat && sessionOfChat(chat, chat.source);
  }

  async *events(id: string, options: EventOptions): AsyncGenerator<SessionEvent> {
    const { eventsOf } = await import("../queries/events.ts");
    yield* eventsOf(this.session(id), options);
  }

  async *export(ids: readonly string[], request: ExportRequest): AsyncGenerator<ExportedFile> {
    const { exportFiles } = await import("../exports/exporting.ts");
    const read = (id: string): ExportedSession => this.#exported(this.session(id));
    yield* exportFiles(request, { ids, read, homeDir: this.#homeDir });
  }

  /** Of the given sessions; of everything there is when none are given. */
  async secrets(ids: readonly string[] | undefined): Promise<SecretsAnswer> {
    const { findSecrets } = await import("../queries/secrets.ts");
    const { loadScanner } = await import("../queries/redaction/scanner.ts");
    const shelf = this.#shelf;
    function* sessions(): Generator<Session> {
      const all = ids ?? shelf.digests().map(({ summary }) => summary.id);
      for (const id of all) {
        const session = shelf.read(id);
        if (session) yield session;
      }
      for (const chat of shelf.savedChats()) {
        if (!ids || ids.includes(chat.id)) yield sessionOfChat(chat, chat.source);
      }
      for (const log of ids ? [] : shelf.promptLogs()) yield sessionOfLog(log, log.source);
    }
    return findSecrets(sessions(), await loadScanner());
  }

  /** By its id: a session, or a saved chat. */
  session(id: string): Session {
    const session = this.#shelf.read(id);
    if (session) return session;
    const chat = this.#shelf.savedChats().find((one) => one.id === id);
    if (!chat) throw unreadableSession(id);
    return sessionOfChat(chat, chat.source);
  }

  #exported(session: Session): ExportedSession {
    const digests = this.#shelf.digests();
    const digest = digests.find(({ summary }) => summary.id === session.id);
    const { parentId, parentCallId } = digest?.session ?? {};
    const children = digests.filter(({ session: { parentId: parent } }) => parent === session.id);
    const source = this.#sources.find(({ id }) => id === session.source);
    return {
      session: {
        ...session,
        ...(parentId === undefined ? {} : { parentId }),
        ...(parentCallId === undefined ? {} : { parentCallId }),
      },
      usage: digest?.usage ?? [],
      tokens: digest?.summary.tokens ?? UNKNOWN_TOKENS,
      subsessions: children.flatMap(({ summary }) => this.#shelf.read(summary.id) ?? []),
      agent: {
        id: session.source,
        name: source?.name ?? session.source,
        ...(source?.modelVendor ? { vendor: source.modelVendor } : {}),
      },
    };
  }
}
