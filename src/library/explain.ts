import type { SessionFilter } from "../core/filter/filter.ts";
import type { Session } from "../core/session/session.ts";
import type { PaidReply } from "../core/usage/usage-fact.ts";
import { readSession } from "../ingest/read-session.ts";
import type { SessionRef } from "../store/store.ts";
import { Calendar } from "../queries/calendar.ts";
import type { ExplainBasis, Explanation } from "../queries/explain.ts";
import { ambiguousKey, explain, periodNamed, unknownKey } from "../queries/explain.ts";
import type { PriceBook } from "../queries/prices/prices.ts";
import { sessionNamed } from "./naming.ts";
import { findSession } from "./sessions.ts";
import type { StoreView } from "./store-view.ts";
import { keyOf } from "../core/session/links.ts";

/** Explains every number of a day, a session or a message, down to file and line. */
export async function explanation(
  view: StoreView,
  prices: PriceBook,
  { key, timezone, filter }: { key: string; timezone?: string | undefined; filter: OfAgent },
): Promise<Explanation> {
  const calendar = new Calendar(timezone);
  const found =
    (await periodRequests(view, { key, filter }, calendar)) ??
    (await sessionRequests(view, { key, filter })) ??
    (await messageRequests(view, { key, filter }));
  const sessions: Session[] = [];
  for (const ref of found.refs) {
    const session = await readSession(view, ref);
    if (session) sessions.push(session);
  }
  return explain({ key, ...found, sessions, prices, timezone: calendar.timezone });
}

type OfAgent = Pick<SessionFilter, "source">;

interface Asked {
  key: string;
  filter: OfAgent;
}

type Found = Pick<ExplainBasis, "kind" | "replies" | "isMeant"> & {
  refs: SessionRef[];
  /** The full id, if the session was named in another way. */
  key?: string;
};

async function periodRequests(
  { store, scope }: StoreView,
  { key, filter }: Asked,
  calendar: Calendar,
): Promise<Found | undefined> {
  const period = periodNamed(key);
  if (!period) return undefined;
  const range = calendar.rangeOf(key, period);
  const within = range && { ...filter, sinceMs: range.from, untilMs: range.to };
  const replies = within ? await store.replies({ scope, filter: within }) : [];
  return {
    kind: period,
    replies,
    refs: refsOf(replies),
    isMeant: ({ at }, { startedAt }) => calendar.keyOf(at ?? startedAt, period) === key,
  };
}

/** A session with its subsessions. */
async function sessionRequests(
  view: StoreView,
  { key: asked, filter }: Asked,
): Promise<Found | undefined> {
  const { store, scope } = view;
  const { id: key, ...of } = sessionNamed(asked, view.sources);
  const within = { ...filter, ...of };
  const begun = await store.sessions({
    scope,
    filter: within,
    idStarts: [key],
    limit: 1,
  });
  const isNamed = key !== "" && (begun.total > 0 || key === "latest" || key.includes("~"));
  if (!isNamed) return undefined;
  const { summary } = await findSession(view, key, within);
  const children = await store.sessions({
    scope,
    filter: { source: summary.source },
    parentId: summary.id,
  });
  const refs = [summary, ...children.items.map((row) => row.summary)];
  const sessionIds = refs.map(({ id }) => id);
  const replies = await store.replies({ scope, filter: { source: summary.source }, sessionIds });
  const isOther = key !== asked || key === "latest" || key.includes("~");
  const name = isOther ? { key: summary.id } : {};
  return { ...name, kind: "session", replies, refs, isMeant: () => true };
}

async function messageRequests(
  { store, scope }: StoreView,
  { key, filter }: Asked,
): Promise<Found> {
  const all = key === "" ? [] : await store.replies({ scope, filter, named: key });
  const exact = all.filter(({ messageId, dedupKey, replyId }) => {
    return [messageId, dedupKey, replyId].includes(key);
  });
  const replies = exact.length > 0 ? exact : all;
  const [first] = replies;
  if (!first) throw unknownKey(key);
  const ids = new Set(replies.map(({ messageId }) => messageId));
  if (ids.size > 1) throw ambiguousKey(key, "messages", ids.size);
  const isMeant: Found["isMeant"] = ({ id }) => id === first.messageId;
  return { kind: "message", replies, refs: refsOf(replies), isMeant };
}

function refsOf(replies: readonly PaidReply[]): SessionRef[] {
  const refs = replies.map(({ source, sessionId }) => ({ source, id: sessionId }));
  return [...new Map(refs.map((ref) => [keyOf(ref.source, ref.id), ref])).values()];
}
