import type { Digest } from "../core/digest.ts";
import type { UsageFact } from "../core/usage-fact.ts";
import type { Money } from "./cost.ts";
import { costOf } from "./cost.ts";
import type { PriceBook } from "./prices.ts";

/** Which requests are meant. All that is given must hold. */
export interface LedgerFilter {
  /** Part of a project's name or path, or its hash. */
  project?: string;
  /** Part of a model's name. */
  model?: string;
  /** A session's id, or its beginning. */
  session?: string;
  status?: string;
  source?: string;
  /** Made at or after this instant, and before that one (epoch milliseconds). */
  sinceMs?: number;
  untilMs?: number;
}

/** How subsessions are told: as sessions of their own, or as a part of the one that began them. */
export type Subagents = "separate" | "rolled-up";

/** One paid reply with its session and its price. */
export interface PaidRequest {
  fact: UsageFact;
  digest: Digest;
  /** When it was made; without a time of its own, when its session began. */
  at: string | undefined;
  /** Unknown when the model has no price; `why` tells. */
  cost: Money | undefined;
  why: string | undefined;
  /** How many it stands for: one, or all of a day that were added up. */
  requests: number;
}

export interface Ledger {
  digests: readonly Digest[];
  prices: PriceBook;
  /** What the sessions cost, added up before; their facts are not looked at then. */
  sums?: readonly PaidRequest[];
}

/** All paid replies that are meant, each once. */
export function* requestsOf(ledger: Ledger, filter: LedgerFilter = {}): Generator<PaidRequest> {
  if (ledger.sums) {
    yield* ledger.sums.filter((sum) => isMeant(sum, filter));
    return;
  }
  for (const digest of ledger.digests) {
    if (digest.usage.length === 0 || !isSessionMeant(digest, filter)) continue;
    for (const fact of digest.usage) {
      const at = fact.at ?? digest.session.startedAt;
      if (!isModelMeant(fact.model, filter.model) || !isWithin(at, filter)) continue;
      yield paidRequest(fact, digest, ledger.prices);
    }
  }
}

/** One reply with its price. */
export function paidRequest(fact: UsageFact, digest: Digest, prices: PriceBook): PaidRequest {
  const at = fact.at ?? digest.session.startedAt;
  const price = prices.priceOf(fact.model, at);
  const isPriced = price.kind === "priced";
  const cost = isPriced ? costOf(fact, price.rates) : undefined;
  return { fact, digest, at, cost, why: isPriced ? undefined : price.why, requests: 1 };
}

function isMeant({ fact, digest, at }: PaidRequest, filter: LedgerFilter): boolean {
  return (
    isSessionMeant(digest, filter) && isModelMeant(fact.model, filter.model) && isWithin(at, filter)
  );
}

export function isSessionMeant({ summary }: Digest, filter: LedgerFilter): boolean {
  const { project, session, status, source } = filter;
  if (status !== undefined && summary.status !== status) return false;
  if (source !== undefined && summary.source !== source) return false;
  if (session !== undefined && !isNamed(session, summary)) return false;
  if (project === undefined) return true;
  const { name, path, hash } = summary.project;
  return has(name, project) || has(path ?? "", project) || hash === project;
}

/** A session is meant with the subsessions that it began. */
function isNamed(wish: string, { id, parentId }: { id: string; parentId: string | null }): boolean {
  return id.startsWith(wish) || parentId?.startsWith(wish) === true;
}

export function isModelMeant(model: string | undefined, wish: string | undefined): boolean {
  return wish === undefined || has(model ?? "unknown", wish);
}

/** What has no time lies within no period. */
export function isWithin(at: string | undefined, { sinceMs, untilMs }: LedgerFilter): boolean {
  if (sinceMs === undefined && untilMs === undefined) return true;
  const time = at === undefined ? Number.NaN : Date.parse(at);
  if (Number.isNaN(time)) return false;
  return (sinceMs === undefined || time >= sinceMs) && (untilMs === undefined || time < untilMs);
}

function has(text: string, part: string): boolean {
  return text.toLowerCase().includes(part.toLowerCase());
}
