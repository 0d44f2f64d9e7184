import type { SessionWork, SessionWorkRow, WorkKind } from "../../core/rows/session-work.ts";
import { costOfReply } from "../prices/cost.ts";
import { rules } from "./index.ts";
import type { Evidence, WorkedSession } from "./rule.ts";
import { UsageSum } from "./rule.ts";
import type { PriceBook, PriceSource } from "../prices/prices.ts";
import { WORK_KINDS } from "../../core/rows/session-work.ts";

/** Where the work went, by documented rules. Unknown is `null`. */
export interface InsightsAnswer {
  period: { since: string | null; until: string | null };
  /** Number of sessions that match, and of those that were read: the newest. */
  sessions: { meant: number; read: number };
  totals: UsageSumAnswer;
  /** Usage by kind of work. */
  kinds: (UsageSumAnswer & { kind: WorkKind; turns: number; share: number | null })[];
  findings: Finding[];
  prices: PriceSource;
}

export interface UsageSumAnswer {
  requests: number;
  tokens: number;
  costMicroUsd: number | null;
  unpricedRequests: number;
}

export interface Finding {
  id: string;
  title: string;
  rule: string;
  threshold: Readonly<Record<string, number>>;
  /** Number of occurrences. */
  count: number;
  /** Usage of the requests concerned; `null` if the rule is not about requests. */
  spent: UsageSumAnswer | null;
  /** Share of the total cost, or of the tokens if no price is known. */
  share: number | null;
  undecided: { count: number; why: string } | null;
  evidence: Evidence[];
  advice: string;
}

/** Processes one session at a time, so that none has to stay in memory. */
export class Insights {
  readonly #kinds = new KindsOfWork();
  readonly #rules = rules.map((rule) => ({ rule, looking: rule.begin() }));
  readonly #all = new UsageSum();
  #read = 0;

  add(session: WorkedSession): void {
    this.#read += 1;
    for (const reply of session.replies) this.#all.add(reply);
    this.#kinds.add(session);
    for (const { looking } of this.#rules) looking.add(session);
  }

  answer(about: {
    period: InsightsAnswer["period"];
    meant: number;
    prices: PriceBook;
  }): InsightsAnswer {
    const findings = this.#rules.map(({ rule, looking }): Finding => {
      const { count, spent, undecided, evidence } = looking.result();
      const { id, title, threshold, advice } = rule;
      const isAboutRequests = spent.requests > 0;
      return {
        id,
        title,
        rule: rule.rule,
        threshold,
        count,
        spent: isAboutRequests ? answerOf(spent) : null,
        share: isAboutRequests ? shareOf(spent, this.#all) : null,
        undecided: undecided ?? null,
        evidence,
        advice,
      };
    });
    return {
      period: about.period,
      sessions: { meant: about.meant, read: this.#read },
      totals: answerOf(this.#all),
      kinds: this.#kinds.result().map(({ kind, turns, spent }) => {
        return { kind, turns, ...answerOf(spent), share: shareOf(spent, this.#all) };
      }),
      findings: findings.toSorted((a, b) => (b.share ?? 0) - (a.share ?? 0)),
      prices: about.prices.from,
    };
  }
}

function answerOf({ requests, tokens, costMicroUsd, unpriced }: UsageSum): UsageSumAnswer {
  return { requests, tokens, costMicroUsd, unpricedRequests: unpriced };
}

/** Rounded to a thousandth. */
function shareOf(part: UsageSum, all: UsageSum): number | null {
  const [cost, whole] = [part.costMicroUsd, all.costMicroUsd];
  const isPriced = cost !== null && whole !== null && whole > 0;
  const share = isPriced ? cost / whole : all.tokens > 0 ? part.tokens / all.tokens : null;
  return share === null ? null : Math.round(share * 1000) / 1000;
}

/** Prepares a session for the rules. */
export function workedSession(
  row: Omit<SessionWorkRow, "work">,
  work: SessionWork,
  prices: PriceBook,
): WorkedSession {
  const { source, id, projectPath, startedMs } = row;
  const replies = row.replies.map((reply) => {
    const cost = costOfReply(reply, reply.atMs ?? startedMs ?? undefined, prices);
    return { ...reply, money: cost.kind === "priced" ? cost.money : null };
  });
  return { source, id, projectPath, work, replies };
}

/** Sums turns and replies by kind of work. */
class KindsOfWork {
  readonly #kinds = WORK_KINDS.map((kind) => ({ kind, turns: 0, spent: new UsageSum() }));

  add({ work, replies }: WorkedSession): void {
    for (const [at, kind] of this.#kinds.entries()) kind.turns += work.turns[at] ?? 0;
    for (const reply of replies)
      this.#kinds[Number(work.replies[reply.position])]?.spent.add(reply);
  }

  result(): readonly { kind: WorkKind; turns: number; spent: UsageSum }[] {
    return this.#kinds;
  }
}
