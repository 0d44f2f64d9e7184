import type { SessionWork, SessionWorkRow, WorkReply } from "../../core/rows/session-work.ts";
import type { Money } from "../prices/cost.ts";
import { addMoney, roundMoney } from "../prices/cost.ts";

/** A session with everything that rules read. */
export interface WorkedSession extends Pick<SessionWorkRow, "source" | "id" | "projectPath"> {
  work: SessionWork;
  /** Its paid replies, in order. */
  replies: readonly PricedReply[];
}

export interface PricedReply extends WorkReply {
  /** `null` when there is no price. */
  money: Money | null;
}

/** A rule of `insights`. Its id has a section in `docs/guide/insights.md`. */
export interface Rule {
  id: string;
  title: string;
  /** The condition in one sentence, with its numbers. */
  rule: string;
  threshold: Readonly<Record<string, number>>;
  advice: string;
  begin(): RunningRule;
}

/** A running rule: receives one session at a time and retains little of it. */
export interface RunningRule {
  add(session: WorkedSession): void;
  result(): Found;
}

interface Found {
  /** Number of occurrences. */
  count: number;
  spent: UsageSum;
  /** Number of cases that could not be judged, and why. */
  undecided?: { count: number; why: string };
  evidence: Evidence[];
}

/** A place that the user can look at. */
export interface Evidence {
  source: string;
  sessionId: string;
  messageId: string | null;
  what: string;
}

export const MOST_EVIDENCE = 20;

/** Sums of requests, tokens and cost. */
export class UsageSum {
  requests = 0;
  tokens = 0;
  unpriced = 0;
  readonly #money: Money = { micro: 0, rest: 0 };

  add({ total, money }: Pick<PricedReply, "total" | "money">): void {
    this.requests += 1;
    this.tokens += total;
    if (money) addMoney(this.#money, money);
    else this.unpriced += 1;
  }

  /** `null` if no request has a price. */
  get costMicroUsd(): number | null {
    return this.requests > 0 && this.unpriced === this.requests ? null : roundMoney(this.#money);
  }
}

export function evidenceOf(
  { source, id }: WorkedSession,
  messageId: string | null,
  what: string,
): Evidence {
  return { source, sessionId: id, messageId, what };
}
