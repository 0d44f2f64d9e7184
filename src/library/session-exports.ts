import type { LedgerFilter, SessionFilter } from "../core/filter/filter.ts";
import { groupBy } from "../core/group.ts";
import { optional } from "../core/optional.ts";
import { keyOf } from "../core/session/links.ts";
import type { Session } from "../core/session/session.ts";
import type { SessionRow } from "../core/rows/session-rows.ts";
import { UNKNOWN_TOKENS } from "../core/rows/summary.ts";
import { sumFacts } from "../core/usage/usage-facts.ts";
import type { ExportedSession } from "../exports/export.ts";
import type {
  ExportedFile,
  ExportRequest,
  ExportSource,
  SessionParts,
} from "../exports/exporting.ts";
import type { StreamedSession } from "../ingest/read-session.ts";
import { readSession } from "../ingest/read-session.ts";
import { withSubsessions } from "../ingest/subsessions.ts";
import type { NamedConversation } from "./contents.ts";
import { readNamed, streamNamed, findNamed } from "./contents.ts";
import { notFound } from "./naming.ts";
import type { StoreView } from "./store-view.ts";
import type { EventOptions } from "../queries/events/events.ts";
import type { SessionEvent } from "../queries/events/event.ts";

/** Limits which replies of the chosen sessions are counted, as in a usage report. */
type Counted = Pick<LedgerFilter, "model" | "sinceMs" | "untilMs">;

/** A session with everything an export needs. */
async function exported(
  view: StoreView,
  named: NamedConversation,
  parts: SessionParts & { counted?: Counted },
): Promise<ExportedSession> {
  const { counted = {} } = parts;
  const { session, messages } =
    parts.messages === "one by one" ? await streamNamed(view, named) : await wholeOf(view, named);
  const source = view.sources.find(({ id }) => id === session.source);
  const agent = {
    id: session.source,
    name: source?.name ?? session.source,
    ...(source?.modelVendor ? { vendor: source.modelVendor } : {}),
  };
  if (named.kind === "chat") {
    return { session, messages, usage: [], tokens: UNKNOWN_TOKENS, subsessions: [], agent };
  }
  const { store, scope } = view;
  const { summary } = named.row;
  const filter = { ...counted, source: summary.source };
  const [, ...rows] = parts.agents === "left out" ? [] : await withSubsessions(view, [summary]);
  const agents = rows.map((row) => row.summary);
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
  const tokens = Object.keys(counted).length === 0 ? summary.tokens : sumFacts(usage);
  return { session: owned(session), messages, usage, tokens, subsessions, agent };
}

async function wholeOf(view: StoreView, named: NamedConversation): Promise<StreamedSession> {
  const session = await readNamed(view, named);
  return { session, messages: session.messages };
}

/** Exports sessions in another format, file by file. */
export async function* exportSessions(
  view: StoreView,
  all: readonly NamedConversation[],
  options: { request: ExportRequest; homeDir: string; filter?: SessionFilter | undefined },
): AsyncGenerator<ExportedFile> {
  const { request, homeDir, filter: { model, sinceMs, untilMs } = {} } = options;
  const counted = {
    ...optional("model", model),
    ...optional("sinceMs", sinceMs),
    ...optional("untilMs", untilMs),
  };
  const { exportFiles } = await import("../exports/exporting.ts");
  const byName = new Map(namesOf(all));
  const read: ExportSource["read"] = async (id, parts) => {
    const named = byName.get(id);
    if (!named) throw notFound({ id });
    return exported(view, named, { ...parts, counted });
  };
  const names = new Map([...byName].map(([name, named]) => [keyOfNamed(named), name]));
  const parentOf = (name: string): string | undefined => {
    const named = byName.get(name);
    if (named?.kind !== "session") return undefined;
    const { source, parentId } = named.row.summary;
    return parentId === null ? undefined : (names.get(keyOf(source, parentId)) ?? parentId);
  };
  /**
   * Undefined for annotated sessions, as annotations are not exported, and if replies are limited,
   * since the sum is known only after reading.
   */
  const rowOf = (id: string): SessionRow | undefined => {
    const named = byName.get(id);
    const isAsWritten = named?.kind === "session" && named.row.summary.own === undefined;
    return isAsWritten && Object.keys(counted).length === 0 ? named.row : undefined;
  };
  yield* exportFiles(request, { ids: [...byName.keys()], parentOf, rowOf, read, homeDir });
}

export interface ExportForm {
  name: string;
  title: string;
  extension: string;
  isForPeople: boolean;
}

/** All export formats. */
export async function exportForms(): Promise<ExportForm[]> {
  const { exports } = await import("../exports/index.ts");
  return exports.map(({ name, title, extension, isForPeople = false }) => {
    return { name, title, extension, isForPeople };
  });
}

function refOf(named: NamedConversation): { source: string; id: string } {
  return named.kind === "chat" ? named.chat : named.row.summary;
}

function keyOfNamed(named: NamedConversation): string {
  const { source, id } = refOf(named);
  return keyOf(source, id);
}

/** Each once, by id; with its agent if another agent has a session with the same id. */
function namesOf(all: readonly NamedConversation[]): [name: string, named: NamedConversation][] {
  const each = new Map(all.map((named) => [keyOfNamed(named), named]));
  const ids = groupBy([...each.values()], (named) => refOf(named).id);
  return [...each.values()].map((named) => {
    const { source, id } = refOf(named);
    return [(ids.get(id)?.length ?? 0) > 1 ? `${source}:${id}` : id, named];
  });
}

/** The events of a session or saved chat; the first one comes before the files are read. */
export async function* namedEvents(
  view: StoreView,
  name: string,
  options: EventOptions,
): AsyncGenerator<SessionEvent> {
  const { eventsAsRead } = await import("../queries/events/events.ts");
  const named = await findNamed(view, name);
  const row = named.kind === "session" ? named.row : undefined;
  // Owned replies are needed only for usage.
  const read = (): Promise<StreamedSession> =>
    options.with?.includes("usage") === true
      ? exported(view, named, { messages: "one by one", agents: "left out" })
      : streamNamed(view, named);
  yield* eventsAsRead({ row, read }, options);
}
