import type { Message } from "../../src/core/session/message.ts";
import type { Session } from "../../src/core/session/session.ts";
import type { SessionRow } from "../../src/core/rows/session-rows.ts";
import { readSession } from "../../src/ingest/read-session.ts";
import type { TestHome } from "./test-home.ts";

/** The rows of all sessions, by id. */
export async function rowsIn({ store }: TestHome): Promise<SessionRow[]> {
  const { items } = await store.sessions({ scope: "own", filter: {}, sort: "newest" });
  return items.toSorted((a, b) => (a.summary.id < b.summary.id ? -1 : 1));
}

export async function idsIn(home: TestHome): Promise<string[]> {
  return (await rowsIn(home)).map(({ summary }) => summary.id);
}

export async function sessionIn({ store, source }: TestHome, id: string): Promise<Session> {
  const place = { store, sources: [source], scope: "own" } as const;
  const session = await readSession(place, { source: source.id, id });
  if (!session) throw new Error(`There is no session ${id}.`);
  return session;
}

export async function messagesIn(home: TestHome, id: string): Promise<Message[]> {
  return (await sessionIn(home, id)).messages;
}

/** `<id> <standing>` of every message. */
export async function standingsIn(home: TestHome, id: string): Promise<string[]> {
  return (await messagesIn(home, id)).map((message) => `${message.id} ${message.standing}`);
}
