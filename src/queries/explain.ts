import type { Counts } from "../core/usage/counts.ts";
import { isPaid } from "../core/usage/counts.ts";
import { PolluxError } from "../core/error.ts";
import { keyOf } from "../core/session/links.ts";
import type { Message, Standing } from "../core/session/message.ts";
import type { Place } from "../core/files/place.ts";
import type { Session } from "../core/session/session.ts";
import type { PaidReply } from "../core/usage/usage-fact.ts";
import type { Period } from "./calendar.ts";
import type { Cost, PriceApplied } from "./prices/cost.ts";
import { costOfReply, roundMoney } from "./prices/cost.ts";
import { replyTime } from "./usage/ledger.ts";
import { oddityText } from "./doctor/odd-counts.ts";
import type { PriceBook, PriceSource } from "./prices/prices.ts";
import type { Sums, TokenTally } from "./usage/tally.ts";
import { shareMoney, Tally, tallyOf } from "./usage/tally.ts";
import type { UnrecordedRow } from "./doctor/unrecorded.ts";
import { unrecordedRows } from "./doctor/unrecorded.ts";

export type ExplainedKind = Period | "session" | "message";

/** Every number of a day, a session or a message, traced to file and line. */
export interface Explanation {
  key: string;
  kind: ExplainedKind;
  requests: ExplainedRequest[];
  /** Recorded counts that are excluded, because they would count a request twice. */
  notCounted: ExcludedCount[];
  /** Calls without a record: usage in the agents' own totals. Not part of any sum. */
  unrecorded: UnrecordedRow[];
  totals: Sums;
  prices: PriceSource;
  timezone: string;
}

export interface ExplainedRequest {
  messageId: string;
  sessionId: string;
  source: string;
  project: string;
  at: string | null;
  model: string | null;
  standing: Standing;
  reason: string | null;
  /** Purpose of a request outside the conversation. */
  purpose: string | null;
  /** The service tier, when it is not the standard one. */
  tier: string | null;
  /** The final count was never recorded; the true count may be higher. */
  isAtLeast: boolean;
  /** The counts as recorded in the file; `null` if it cannot be read any more. */
  recorded: Counts | null;
  /** The same counts, split. */
  tokens: TokenTally;
  /** Web searches that the vendor ran; `null` if the agent does not record them. */
  webSearches: number | null;
  /** How counts that do not add up were interpreted. */
  remarks: string[];
  price: ExplainedPrice | null;
  /** Why there is no price. */
  unpriced: string | null;
  /** Rounded so that all requests add up to the total. */
  costMicroUsd: number | null;
  place: FileLine;
  /** Other places that record the same reply; it is counted once. */
  repeatedAt: FileLine[];
}

export type ExplainedPrice = PriceApplied;

export interface ExcludedCount {
  messageId: string;
  sessionId: string;
  recorded: Counts;
  why: "early-report" | "counted-in-other-session";
  place: FileLine;
}

export interface FileLine {
  file: string;
  line: number;
}

export interface ExplainBasis {
  key: string;
  kind: ExplainedKind;
  replies: readonly PaidReply[];
  /** The sessions that the key selects, in full. */
  sessions: readonly Session[];
  /** Whether the key selects a message. */
  isMeant: (message: Pick<Message, "id" | "at">, session: Session) => boolean;
  prices: PriceBook;
  timezone: string;
}

const PERIOD_KEYS: readonly [Period, RegExp][] = [
  ["hour", /^\d{4}-\d\d-\d\dT\d\d$/],
  ["day", /^\d{4}-\d\d-\d\d$/],
  ["week", /^\d{4}-W\d\d$/],
  ["month", /^\d{4}-\d\d$/],
];

/** The period that a key names; undefined if it names a session or a message. */
export function periodNamed(key: string): Period | undefined {
  return PERIOD_KEYS.find(([, pattern]) => pattern.test(key))?.[0];
}

interface Priced {
  reply: PaidReply;
  cost: Cost;
}

export function explain(basis: ExplainBasis): Explanation {
  const { key, kind, prices, timezone } = basis;
  const requests = basis.replies.toSorted(byTime).map((reply): Priced => {
    return { reply, cost: costOfReply(reply, replyTime(reply).ms, prices) };
  });
  const tally = tallyUp(requests);
  const amounts = requests.map(({ cost }) => {
    return cost.kind === "priced" ? cost.money : { micro: 0, rest: 0 };
  });
  const costs = shareMoney(amounts, roundMoney(tally.cost));
  const sessions = new Map(basis.sessions.map((session) => [sessionKey(session), session]));
  return {
    key,
    kind,
    requests: requests.map(({ reply, cost }, at) => {
      const costMicroUsd = cost.kind === "priced" ? (costs[at] ?? 0) : null;
      const session = sessions.get(keyOf(reply.source, reply.sessionId));
      return { ...explained(reply, cost, session), costMicroUsd };
    }),
    notCounted: basis.sessions.flatMap((session) => notCountedOf(session, basis)),
    unrecorded: unrecordedRows(kind === "message" ? [] : basis.sessions.flatMap(unrecordedOf)),
    totals: tally.sums(),
    prices: prices.from,
    timezone,
  };
}

function sessionKey({ source, id }: Session): string {
  return keyOf(source, id);
}

function unrecordedOf(session: Session): Parameters<typeof unrecordedRows>[0] {
  const { id: sessionId, source, unrecorded: usage = [] } = session;
  return [{ source, sessionId, usage }];
}

function tallyUp(requests: readonly Priced[]): Tally {
  const tally = new Tally();
  for (const { reply, cost } of requests) {
    const [atLeast, odd] = [Number(reply.isAtLeast === true), Number(reply.oddities !== undefined)];
    tally.add({ requests: 1, atLeast, odd, tokens: reply }, cost);
  }
  const owners = requests.map(({ reply }) => keyOf(reply.source, reply.sessionId));
  tally.sessions = new Set(owners).size;
  return tally;
}

/** Error for a key that matches nothing. */
export function unknownKey(key: string): PolluxError {
  return new PolluxError("no-such-key", `No paid request, session or period matches "${key}".`, {
    remedy: "Use a day (2026-11-15), a week (2026-W46), a month, a session id or a message id.",
  });
}

export function ambiguousKey(key: string, what: string, count: number): PolluxError {
  return new PolluxError("ambiguous-key", `"${key}" matches the ids of ${count} ${what}.`, {
    remedy: "Give more characters of the id.",
  });
}

function explained(
  reply: PaidReply,
  cost: Cost,
  session: Session | undefined,
): Omit<ExplainedRequest, "costMicroUsd"> {
  const message = session?.messages.find(({ id }) => id === reply.messageId);
  const recorded = session?.replies.find(({ id }) => id === reply.replyId)?.counts;
  return {
    messageId: reply.messageId,
    sessionId: reply.sessionId,
    source: reply.source,
    project: session?.project.name ?? "",
    at: replyTime(reply).at ?? null,
    model: reply.model ?? null,
    standing: reply.standing,
    reason: reply.reason ?? null,
    purpose: reply.purpose ?? null,
    tier: reply.tier ?? null,
    isAtLeast: reply.isAtLeast === true,
    recorded: recorded ?? null,
    tokens: tallyOf(reply),
    webSearches: reply.webSearches,
    remarks: (reply.oddities ?? []).map(oddityText),
    price: cost.kind === "priced" ? cost.price : null,
    unpriced: cost.kind === "unpriced" ? cost.why : null,
    place: lineOf(reply.place),
    repeatedAt: repeatsOf(message?.places ?? [], reply.place),
  };
}

function repeatsOf(places: readonly Place[], counted: Place): FileLine[] {
  const lines = places
    .filter(({ file, start }) => file !== counted.file || start !== counted.start)
    .map((place) => [`${place.file}:${place.line}`, lineOf(place)] as const);
  return [...new Map(lines).values()];
}

function lineOf({ file, line }: Place): FileLine {
  return { file, line };
}

/** Early reports of a request, and replies that another session recorded first. */
function notCountedOf(session: Session, { replies, isMeant }: ExplainBasis): ExcludedCount[] {
  const { id: sessionId, source } = session;
  const counted = new Set(
    replies
      .filter((reply) => reply.source === source && reply.sessionId === sessionId)
      .map(({ replyId }) => replyId),
  );
  const early = session.messages.flatMap((message): ExcludedCount[] => {
    const { id: messageId, usage: recorded } = message;
    if (message.isUsageRepeated !== true || !isPaid(recorded)) return [];
    if (!isMeant(message, session)) return [];
    const place = lineOf(message.usagePlace ?? message.place);
    return [{ messageId, sessionId, recorded, why: "early-report", place }];
  });
  const copies = session.replies.flatMap(
    ({ id, messageId, at, counts, place }): ExcludedCount[] => {
      if (counted.has(id) || !isPaid(counts)) return [];
      if (!isMeant({ id: messageId, at }, session)) return [];
      const why = "counted-in-other-session";
      return [{ messageId, sessionId, recorded: counts, why, place: lineOf(place) }];
    },
  );
  return [...early, ...copies];
}

/** By time; replies without a time come last, in file order. */
function byTime(a: PaidReply, b: PaidReply): number {
  const [first, second] = [a, b].map((reply) => replyTime(reply).ms ?? Infinity);
  if (first !== second) return (first ?? 0) < (second ?? 0) ? -1 : 1;
  const [here, there] = [a.place, b.place];
  return here.file === there.file ? here.start - there.start : here.file < there.file ? -1 : 1;
}
