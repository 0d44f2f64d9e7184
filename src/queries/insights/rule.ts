import type { FileEdit } from "../../core/session/file-edit.ts";
import type { Session } from "../../core/session/session.ts";
import type { SessionSummary } from "../../core/rows/summary.ts";
import type { ToolCall } from "../../core/session/tool-call.ts";
import type { Turn } from "../../core/session/turn.ts";
import type { PaidReply } from "../../core/usage/usage-fact.ts";
import type { Money } from "../prices/cost.ts";
import { addMoney, roundMoney } from "../prices/cost.ts";

/** A session with everything that rules read. */
export interface WorkedSession {
  summary: SessionSummary;
  session: Session;
  turns: readonly Turn[];
  /** Its paid replies, in order. */
  replies: readonly PricedReply[];
  editsOf: (call: ToolCall) => FileEdit[];
}

export interface PricedReply extends PaidReply {
  /** `null` when there is no price. */
  money: Money | null;
  /** The number of its turn; `null` for a request outside the conversation. */
  turn: number | null;
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

export interface Found {
  /** Number of occurrences. */
  count: number;
  spent: UsageSum;
  /** Number of cases that could not be judged, and why. */
  untold?: { count: number; why: string };
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
  { summary }: WorkedSession,
  messageId: string | null,
  what: string,
): Evidence {
  return { source: summary.source, sessionId: summary.id, messageId, what };
}

/** Calls made in this session, each once, in order. */
export function callsOf({ turns }: WorkedSession): { messageId: string; call: ToolCall }[] {
  return turns.flatMap(({ messages }) =>
    messages
      .filter(({ copyOf, isInherited }) => copyOf === undefined && isInherited !== true)
      .flatMap(({ id, toolCalls }) => toolCalls.map((call) => ({ messageId: id, call }))),
  );
}
