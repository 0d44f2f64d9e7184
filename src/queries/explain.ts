import { PolluxError } from "../core/error.ts";
import type { Message, Standing } from "../core/message.ts";
import type { Place } from "../core/place.ts";
import type { Session } from "../core/session.ts";
import type { Counts } from "../core/counts.ts";
import { isPaid } from "../core/counts.ts";
import { apportion } from "./apportion.ts";
import type { Period } from "./calendar.ts";
import { Calendar } from "./calendar.ts";
import { roundMoney, tierOf } from "./cost.ts";
import type { Ledger, PaidRequest } from "./ledger.ts";
import { requestsOf } from "./ledger.ts";
import type { PriceBook, PriceSource, Rates } from "./prices.ts";
import type { Sums, TokenTally } from "./tally.ts";
import { Tally } from "./tally.ts";
import { tellOddity } from "./odd-counts.ts";

export type ExplainedKind = Period | "session" | "message";

/** Every number of a day, a session or a message, down to file and line. */
export interface Explanation {
  key: string;
  kind: ExplainedKind;
  requests: ExplainedRequest[];
  /** Recorded counts that would count something twice. */
  notCounted: NotCounted[];
  totals: Sums;
  prices: PriceSource;
  timezone: string;
}

export interface ExplainedRequest {
  messageId: string;
  sessionId: string;
  project: string;
  at: string | null;
  model: string | null;
  standing: Standing;
  reason: string | null;
  /** The counts as they stand in the file. */
  recorded: Counts;
  /** The same counts, split. */
  tokens: TokenTally;
  /** How counts that did not add up were read. */
  remarks: string[];
  price: ExplainedPrice | null;
  /** Why there is no price. */
  unpriced: string | null;
  /** Rounded so that all requests add up to the total. */
  costMicroUsd: number | null;
  place: FileLine;
  /** Where the same reply stands again; it is counted once. */
  repeatedAt: FileLine[];
}

export interface ExplainedPrice {
  /** The name in the price table. */
  model: string;
  /** The first day of this price; `null` when it holds from the beginning. */
  from: string | null;
  /** The prompt size above which these rates hold; `null` for the ordinary ones. */
  aboveTokens: number | null;
  /** Micro-dollars per million tokens. */
  rates: Rates;
}

export interface NotCounted {
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

export interface ExplainBasis extends Ledger {
  read(id: string): Session | undefined;
}

export function explain(basis: ExplainBasis, key: string, timezone?: string): Explanation {
  const calendar = new Calendar(timezone);
  const { kind, requests: found, ids, isNamed } = find(basis, key, calendar);
  const requests = found.toSorted(byTime);
  const sessions = new Map<string, Session>();
  for (const id of ids) {
    const session = basis.read(id);
    if (session) sessions.set(id, session);
  }
  const tally = new Tally();
  for (const request of requests) tally.add(request, request.fact.sessionId);
  const parts = requests.map(({ cost }) => ({ whole: cost?.micro ?? 0, rest: cost?.rest ?? 0 }));
  const costs = apportion(parts, roundMoney(tally.cost));
  return {
    key,
    kind,
    requests: requests.map((request, at) => {
      const costMicroUsd = request.cost ? (costs[at] ?? 0) : null;
      return { ...explained(request, basis.prices, sessions), costMicroUsd };
    }),
    notCounted: [...sessions.values()].flatMap((session) =>
      notCountedOf(session, { basis, isNamed }),
    ),
    totals: tally.sums(),
    prices: basis.prices.from,
    timezone: calendar.timezone,
  };
}

interface Found {
  kind: ExplainedKind;
  requests: PaidRequest[];
  /** Sessions to be looked into. */
  ids: ReadonlySet<string>;
  /** A message that the key means, were it counted. */
  isNamed: (message: Message, session: Session) => boolean;
}

const PERIOD_KEYS: readonly [Period, RegExp][] = [
  ["hour", /^\d{4}-\d\d-\d\dT\d\d$/],
  ["day", /^\d{4}-\d\d-\d\d$/],
  ["week", /^\d{4}-W\d\d$/],
  ["month", /^\d{4}-\d\d$/],
];

function find(basis: ExplainBasis, key: string, calendar: Calendar): Found {
  const period = PERIOD_KEYS.find(([, pattern]) => pattern.test(key))?.[0];
  if (period) {
    const isIn = (at: string | undefined): boolean => calendar.keyOf(at, period) === key;
    const requests = [...requestsOf(basis)].filter(({ at }) => isIn(at));
    const ids = new Set(requests.map(({ fact }) => fact.sessionId));
    return {
      kind: period,
      requests,
      ids,
      isNamed: ({ at }, { startedAt }) => isIn(at ?? startedAt),
    };
  }
  return findSession(basis, key) ?? findMessage(basis, key);
}

function findSession(basis: ExplainBasis, key: string): Found | undefined {
  const summaries = basis.digests.map(({ summary }) => summary);
  const meant = summaries.filter(({ id }) => id === key);
  const begun = meant.length > 0 ? meant : summaries.filter(({ id }) => id.startsWith(key));
  const [first] = begun.toSorted((a, b) => a.id.length - b.id.length);
  if (!first) return undefined;
  // A subagent's id may be its parent's with an addition.
  if (begun.some(({ id }) => !id.startsWith(first.id)))
    throw ambiguous(key, "sessions", begun.length);
  const ids = new Set([
    first.id,
    ...summaries.filter(({ parentId }) => parentId === first.id).map(({ id }) => id),
  ]);
  const requests = [...requestsOf(basis)].filter(({ fact }) => ids.has(fact.sessionId));
  return { kind: "session", requests, ids, isNamed: () => true };
}

function findMessage(basis: ExplainBasis, key: string): Found {
  const all = [...requestsOf(basis)];
  const exact = all.filter(({ fact }) => fact.messageId === key || fact.dedupKey === key);
  const found = exact.length > 0 ? exact : all.filter(({ fact }) => fact.messageId.startsWith(key));
  const [first] = found;
  if (!first || key === "") {
    throw new PolluxError("no-such-key", `No paid request, session or day is named "${key}".`, {
      remedy: "Give a day (2026-11-15), a week (2026-W46), a month, a session id or a message id.",
    });
  }
  if (found.length > 1) throw ambiguous(key, "messages", found.length);
  const { messageId, sessionId } = first.fact;
  const isNamed = ({ id }: Message): boolean => id === messageId;
  return { kind: "message", requests: found, ids: new Set([sessionId]), isNamed };
}

function ambiguous(key: string, what: string, count: number): PolluxError {
  return new PolluxError("ambiguous-key", `"${key}" begins the ids of ${count} ${what}.`, {
    remedy: "Give more of it.",
  });
}

function explained(
  request: PaidRequest,
  prices: PriceBook,
  sessions: ReadonlyMap<string, Session>,
): Omit<ExplainedRequest, "costMicroUsd"> {
  const { fact, digest, at, why } = request;
  const session = sessions.get(fact.sessionId);
  const message = session?.messages.find(({ id }) => id === fact.messageId);
  const { input, fresh, cached, output, thoughts, tool, total } = fact;
  return {
    messageId: fact.messageId,
    sessionId: fact.sessionId,
    project: digest.summary.project.name,
    at: at ?? null,
    model: fact.model ?? null,
    standing: fact.standing,
    reason: fact.reason ?? null,
    recorded: message?.usage ?? {},
    tokens: { input, fresh, cached, output, thoughts, tool, total },
    remarks: (fact.oddities ?? []).map(tellOddity),
    price: priceOf(request, prices),
    unpriced: why ?? null,
    place: lineOf(fact.place),
    repeatedAt: repeatsOf(message?.places ?? [], fact.place),
  };
}

function priceOf({ fact, at }: PaidRequest, prices: PriceBook): ExplainedPrice | null {
  const price = prices.priceOf(fact.model, at);
  if (price.kind === "unpriced") return null;
  const tier = tierOf(fact, price.rates);
  const { input, cached, output } = tier;
  return {
    model: price.pricedAs,
    from: price.rates.from ?? null,
    aboveTokens: tier === price.rates ? null : (price.rates.above?.tokens ?? null),
    rates: { input, cached, output },
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

function notCountedOf(
  session: Session,
  { basis, isNamed }: { basis: ExplainBasis; isNamed: Found["isNamed"] },
): NotCounted[] {
  const digest = basis.digests.find(({ summary }) => summary.id === session.id);
  const counted = new Set(digest?.usage.map(({ messageId }) => messageId));
  return session.messages.flatMap((message): NotCounted[] => {
    const { id, usage, author } = message;
    if (author !== "model" || !isPaid(usage) || counted.has(id)) return [];
    if (!isNamed(message, session)) return [];
    const why = message.isUsageRepeated === true ? "early-report" : "counted-in-other-session";
    const place = lineOf(message.usagePlace ?? message.place);
    return [{ messageId: id, sessionId: session.id, recorded: usage, why, place }];
  });
}

/** As they were made; what has no time comes last, in the order of its file. */
function byTime(a: PaidRequest, b: PaidRequest): number {
  const [first, second] = [a, b].map(({ at }) => (at === undefined ? Infinity : Date.parse(at)));
  if (first !== second) return (first ?? 0) < (second ?? 0) ? -1 : 1;
  const [here, there] = [a.fact.place, b.fact.place];
  return here.file === there.file ? here.start - there.start : here.file < there.file ? -1 : 1;
}
