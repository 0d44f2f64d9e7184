import { PolluxError } from "../../core/error.ts";
import { optional } from "../../core/optional.ts";
import { READER_VERSION } from "../../ingest/reader-version.ts";
import { withSubsessions } from "../../ingest/subsessions.ts";
import type { SessionRef, Store } from "../../store/store.ts";
import type { Owner, Person, Team, Viewer } from "../../store/team.ts";
import { refuseOtherStores } from "../open-store.ts";

/** How long an auditor may look at a session. */
const LOOK_MS = 60 * 60_000;

/** The owner of the sessions; `look` is the id of an auditor's recorded look. */
export interface OwnerRequest {
  owner: string;
  look?: number;
}

export interface AuditAccessRequest {
  subject: string;
  /** The session's id or a prefix of it. */
  session: string;
  reason: string;
}

export interface StartedLook {
  look: number;
  owner: string;
  source: string;
  sessionId: string;
  untilMs: number;
}

/**
 * The viewer for row security. A person who has opened nothing to them is reported like one who
 * does not exist.
 */
export async function viewerOf(
  team: Team,
  person: Person,
  { owner: subject, look }: OwnerRequest,
): Promise<{ viewer: Viewer; owner: Pick<Owner, "subject" | "name"> }> {
  if (look !== undefined) {
    const owner = person.roles.includes("auditor") ? await team.people.find(subject) : undefined;
    if (!owner) throw nothingOpened(subject);
    return { owner, viewer: { viewer: person.id, person: owner.id, role: "auditor", look } };
  }
  const owners = await team.openings.owners(person.id);
  const owner = owners.find((each) => each.subject === subject);
  if (!owner) throw nothingOpened(subject);
  return { owner, viewer: { viewer: person.id, person: owner.id, role: "developer" } };
}

function nothingOpened(subject: string): PolluxError {
  return new PolluxError("no-such-person", `"${subject}" has not opened a session to you.`, {
    remedy: "Ask them to open one. For your own sessions, do not name an owner.",
  });
}

/** Opens a person's own session and its subsessions to a team or to everyone. */
export async function openSession(
  team: Team,
  person: Pick<Person, "id">,
  { session, to, atMs }: { session: string; to?: string; atMs: number },
): Promise<SessionRef> {
  const store = team.storeOf({ viewer: person.id, role: "developer" });
  const first = await namedSession(store, session);
  const sessions = await refsWithSubsessions(store, [first]);
  await team.openings.open(person.id, { sessions, ...optional("team", to), atMs });
  return first;
}

/** Stops sharing sessions whose id starts with `session`. */
export async function closeSession(
  team: Team,
  person: Pick<Person, "id">,
  session: string,
): Promise<void> {
  const opened = await team.openings.of(person.id);
  const refs = opened
    .filter(({ sessionId }) => sessionId.startsWith(session))
    .map(({ source, sessionId }) => ({ source, id: sessionId }));
  const store = team.storeOf({ viewer: person.id, role: "developer" });
  // Also sessions whose rows are no longer there.
  await team.openings.close(person.id, [...refs, ...(await refsWithSubsessions(store, refs))]);
}

async function refsWithSubsessions(
  store: Store,
  refs: readonly SessionRef[],
): Promise<SessionRef[]> {
  const rows = await withSubsessions({ store, scope: "own" }, refs);
  return rows.map(({ summary: { source, id } }) => ({ source, id }));
}

/** Finds a person's session by an id prefix; throws unless exactly one matches. */
export async function namedSession(store: Store, session: string): Promise<SessionRef> {
  const { items } = await store.sessions({ scope: "own", idStarts: [session], limit: 2 });
  const [first] = items;
  if (first && items.length === 1) return { source: first.summary.source, id: first.summary.id };
  const message = first
    ? `Several sessions begin with "${session}".`
    : `No session matches "${session}".`;
  throw new PolluxError(first ? "ambiguous-id" : "no-such-session", message);
}

/** Records an auditor's look at a session, with its reason; the session can then be read. */
export async function beginAuditAccess(
  team: Team,
  auditor: Person,
  { subject, session, reason, atMs }: AuditAccessRequest & { atMs: number },
): Promise<StartedLook> {
  const owner = await team.people.find(subject);
  if (!owner) throw new PolluxError("no-such-person", `No such person: "${subject}".`);
  const store = team.storeOf({ viewer: owner.id, role: "developer" });
  const { source, id: sessionId } = await namedSession(store, session);
  const untilMs = atMs + LOOK_MS;
  const look = { source, sessionId, reason, atMs, untilMs };
  const number = await team.looks.add({ viewer: auditor.id, person: owner.id, ...look });
  return { look: number, owner: owner.subject, source, sessionId, untilMs };
}

/**
 * Opens all sessions of a person read-only, for the database's administrator, who could read them
 * anyway. This is recorded as a look with its reason, and shown to the person.
 */
export async function openOwned(
  address: string,
  { owner, reason, nowMs }: { owner: string; reason: string; nowMs: number },
): Promise<Store> {
  refuseOtherStores(address);
  const { openTeam } = await import("../../store/postgres/team/team.ts");
  const team = await openTeam(address, { reader: READER_VERSION });
  try {
    const person = await team.people.find(owner);
    if (!person) {
      throw new PolluxError("no-such-person", `No such person: "${owner}".`, {
        remedy: "`pollux team people` lists all people.",
      });
    }
    const all = { source: "", sessionId: "", atMs: nowMs, untilMs: nowMs };
    await team.looks.add({ viewer: 0, person: person.id, reason, ...all });
    const store = team.storeOf({ viewer: person.id, role: "developer" }, { mode: "read" });
    return Object.assign(store, { close: () => team.close() });
  } catch (error) {
    await team.close();
    throw error;
  }
}
