import type { FileEdit } from "../../core/file-edit.ts";
import type { Session } from "../../core/session.ts";
import type { SessionSummary } from "../../core/summary.ts";
import type { ToolCall } from "../../core/tool-call.ts";
import type { Turn } from "../../core/turn.ts";
import type { PaidReply } from "../../core/usage-fact.ts";
import type { Money } from "../prices/cost.ts";
import { addMoney, roundMoney } from "../prices/cost.ts";

/** One session with all that rules look at. */
export interface WorkedSession {
  summary: SessionSummary;
  session: Session;
  turns: readonly Turn[];
  /** What it paid for, in order. */
  replies: readonly PricedReply[];
  editsOf: (call: ToolCall) => FileEdit[];
}

export interface PricedReply extends PaidReply {
  /** `null` when there is no price. */
  money: Money | null;
  /** The number of its turn; `null` of a request beside the conversation. */
  turn: number | null;
}

/** What a rule looks for. Its id has a section in `docs/guide/insights.md`. */
export interface Rule {
  id: string;
  title: string;
  /** What counts, in one sentence with its numbers. */
  rule: string;
  threshold: Readonly<Record<string, number>>;
  advice: string;
  begin(): Looking;
}

/** A rule at work: it is shown one session after the other, and keeps little of them. */
export interface Looking {
  add(session: WorkedSession): void;
  tell(): Found;
}

export interface Found {
  /** How often it was found. */
  count: number;
  spent: Spent;
  /** What could not be told, and why. */
  untold?: { count: number; why: string };
  evidence: Evidence[];
}

/** A place to look at. */
export interface Evidence {
  source: string;
  sessionId: string;
  messageId: string | null;
  what: string;
}

export const MOST_EVIDENCE = 20;

/** Requests with their tokens and what they cost. */
export class Spent {
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

  /** `null` when nothing of it has a price. */
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

/** Calls that were made in a session, each once, in order. */
export function callsOf({ turns }: WorkedSession): { messageId: string; call: ToolCall }[] {
  return turns.flatMap(({ messages }) =>
    messages
      .filter(({ copyOf, isInherited }) => copyOf === undefined && isInherited !== true)
      .flatMap(({ id, toolCalls }) => toolCalls.map((call) => ({ messageId: id, call }))),
  );
}
