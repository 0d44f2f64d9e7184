import type { SplitUsage } from "../core/usage-fact.ts";
import { apportion } from "./apportion.ts";
import type { Money } from "./cost.ts";
import { addMoney, roundMoney } from "./cost.ts";
import type { PaidRequest } from "./ledger.ts";

/** Counts as they are split, added up. */
export type TokenTally = Omit<SplitUsage, "remainder" | "oddities">;

/** Sums over requests, as every report gives them. */
export interface Sums {
  sessions: number;
  requests: number;
  tokens: TokenTally;
  /** Whole micro-dollars; `null` when no request has a price. */
  costMicroUsd: number | null;
  unpricedRequests: number;
}

/** The costs of tallies, rounded so that they add up to the rounded sum. */
export function shareCost(tallies: readonly Tally[], sum: number): number[] {
  return apportion(
    tallies.map(({ cost }) => ({ whole: cost.micro, rest: cost.rest })),
    sum,
  );
}

const NONE: TokenTally = {
  input: 0,
  fresh: 0,
  cached: 0,
  output: 0,
  thoughts: 0,
  tool: 0,
  total: 0,
};
const FIELDS = Object.keys(NONE) as (keyof TokenTally)[];

/** A tally in short: its seven counts, requests, those unpriced, cost and rest, sessions. */
export type PackedTally = number[];

/** Adds requests up. */
export class Tally {
  readonly tokens: TokenTally = { ...NONE };
  requests = 0;
  unpricedRequests = 0;
  /** Of the requests that have a price. */
  readonly cost: Money = { micro: 0, rest: 0 };
  readonly #sessions = new Set<string>();
  /** Sessions of packed tallies: no other one tells of them. */
  #others = 0;

  add({ fact, cost, requests }: PaidRequest, sessionId: string): void {
    const { tokens } = this;
    tokens.input += fact.input;
    tokens.fresh += fact.fresh;
    tokens.cached += fact.cached;
    tokens.output += fact.output;
    tokens.thoughts += fact.thoughts;
    tokens.tool += fact.tool;
    tokens.total += fact.total;
    this.requests += requests;
    if (cost === undefined) this.unpricedRequests += requests;
    else addMoney(this.cost, cost);
    this.#sessions.add(sessionId);
  }

  get sessions(): number {
    return this.#others + this.#sessions.size;
  }

  pack(): PackedTally {
    const { tokens, requests, unpricedRequests, cost, sessions } = this;
    const counts = FIELDS.map((field) => tokens[field]);
    return [...counts, requests, unpricedRequests, cost.micro, cost.rest, sessions];
  }

  /** Takes over the sums of other sessions. */
  unpack(packed: PackedTally): void {
    for (const [at, field] of FIELDS.entries()) this.tokens[field] += packed[at] ?? 0;
    const [requests = 0, unpriced = 0, micro = 0, rest = 0, sessions = 0] = packed.slice(
      FIELDS.length,
    );
    this.requests += requests;
    this.unpricedRequests += unpriced;
    addMoney(this.cost, { micro, rest });
    this.#others += sessions;
  }

  /** Takes over the sums of another tally. */
  merge(other: Tally): void {
    for (const field of FIELDS) this.tokens[field] += other.tokens[field];
    this.requests += other.requests;
    this.unpricedRequests += other.unpricedRequests;
    addMoney(this.cost, other.cost);
    for (const id of other.#sessions) this.#sessions.add(id);
    this.#others += other.#others;
  }

  /** As rounded by itself, or as its share of a rounded sum. */
  sums(costMicroUsd: number = roundMoney(this.cost)): Sums {
    const isUnpriced = this.requests > 0 && this.unpricedRequests === this.requests;
    return {
      sessions: this.sessions,
      requests: this.requests,
      tokens: { ...this.tokens },
      costMicroUsd: isUnpriced ? null : costMicroUsd,
      unpricedRequests: this.unpricedRequests,
    };
  }
}
