import type { BucketTokens, UsageBucket } from "../../core/usage/usage-fact.ts";
import { addSplit, cacheWriteOf } from "../../core/usage/usage-facts.ts";
import { apportion } from "../prices/apportion.ts";
import type { Cost, Money } from "../prices/cost.ts";
import { addMoney, roundMoney } from "../prices/cost.ts";

/**
 * Tokens of a report. `fresh + cached + cacheWrite + output + thoughts = total` and `input − cached
 * − cacheWrite + tool = fresh`, where `null` (unknown) counts as 0.
 */
export interface TokenTally {
  /** The whole prompt: read from the cache, written to it, or neither. */
  input: number;
  /** Prompt tokens at the full price. */
  fresh: number;
  cached: number | null;
  cacheWrite: number | null;
  /** The part of `cacheWrite` that is kept for an hour. */
  cacheWrite1h: number | null;
  output: number;
  thoughts: number | null;
  tool: number | null;
  total: number;
}

/** Sums over requests; part of every report. */
export interface Sums {
  sessions: number;
  requests: number;
  tokens: TokenTally;
  /** The final count of some reply was never recorded; the true sum may be higher. */
  isAtLeast: boolean;
  /** Web searches that the vendors ran and charge per search; `null` if no agent records them. */
  webSearches: number | null;
  /** Whole micro-dollars; `null` when no request has a price. */
  costMicroUsd: number | null;
  unpricedRequests: number;
}

/** The sum of no requests is known: all zero. */
const NONE: Readonly<TokenTally> = {
  input: 0,
  fresh: 0,
  cached: 0,
  cacheWrite: 0,
  cacheWrite1h: 0,
  output: 0,
  thoughts: 0,
  tool: 0,
  total: 0,
};

/** A bucket or a single reply. */
export type Counted = Pick<UsageBucket, "requests" | "atLeast" | "odd" | "tokens">;

export class Tally {
  requests = 0;
  unpricedRequests = 0;
  atLeast = 0;
  odd = 0;
  /** Number of different sessions. Set from the store, which alone can count them. */
  sessions = 0;
  /** Cost of the requests that have a price. */
  readonly cost: Money = { micro: 0, rest: 0 };
  #tokens: BucketTokens | undefined;

  add({ requests, atLeast, odd, tokens }: Counted, cost: Cost): void {
    this.requests += requests;
    this.atLeast += atLeast;
    this.odd += odd;
    this.#addTokens(tokens);
    if (cost.kind === "unpriced") this.unpricedRequests += requests;
    else addMoney(this.cost, cost.money);
  }

  /** Adds another tally, except its sessions, which may be the same ones. */
  merge(other: Tally): void {
    this.requests += other.requests;
    this.unpricedRequests += other.unpricedRequests;
    this.atLeast += other.atLeast;
    this.odd += other.odd;
    addMoney(this.cost, other.cost);
    if (other.#tokens) this.#addTokens(other.#tokens);
  }

  #addTokens(tokens: BucketTokens): void {
    if (this.#tokens) addSplit(this.#tokens, tokens);
    else this.#tokens = { ...tokens };
  }

  /** The sum of no requests is known, as in `NONE`. */
  get webSearches(): number | null {
    return this.#tokens ? this.#tokens.webSearches : 0;
  }

  get tokens(): TokenTally {
    return this.#tokens ? tallyOf(this.#tokens) : { ...NONE };
  }

  /**
   * `costMicroUsd`: the tally's share of a rounded total, if it should differ from its own
   * rounding.
   */
  sums(costMicroUsd: number = roundMoney(this.cost)): Sums {
    const isUnpriced = this.requests > 0 && this.unpricedRequests === this.requests;
    return {
      sessions: this.sessions,
      requests: this.requests,
      tokens: this.tokens,
      isAtLeast: this.atLeast > 0,
      webSearches: this.webSearches,
      costMicroUsd: isUnpriced ? null : costMicroUsd,
      unpricedRequests: this.unpricedRequests,
    };
  }
}

export function tallyOf(counts: BucketTokens): TokenTally {
  const { input, fresh, cached, cacheWrite1h, output, thoughts, tool, total } = counts;
  const cacheWrite = cacheWriteOf(counts);
  return { input, fresh, cached, cacheWrite, cacheWrite1h, output, thoughts, tool, total };
}

/** Rounds amounts so that they add up to the rounded total. */
export function shareMoney(amounts: readonly Money[], total: number): number[] {
  return apportion(
    amounts.map(({ micro, rest }) => ({ whole: micro, rest })),
    total,
  );
}

export function shareCost(tallies: readonly Tally[], total: number): number[] {
  return shareMoney(
    tallies.map(({ cost }) => cost),
    total,
  );
}
