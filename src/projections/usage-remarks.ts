import type { Diagnostic } from "../model/diagnostic.ts";
import type { Coverage } from "./coverage.ts";
import { modelName } from "./groupings.ts";
import type { LedgerFilter, PaidRequest, Subagents } from "./ledger.ts";
import { oddDiagnostics } from "./odd-counts.ts";
import { Tally } from "./tally.ts";
import type { UsageBasis } from "./usage-basis.ts";

/** What a report rests on. */
export interface UsageCoverage extends Coverage {
  requests: number;
  /** Records that could not be read, or not fully: their requests may be missing. */
  rejected: number;
  /** Requests whose recorded counts did not add up; the diagnostics say how they were read. */
  oddRequests: number;
}

/** What must be known to judge the numbers of a report. */
export interface UsageRemarks {
  coverage: UsageCoverage;
  /** The part of the prompts that came from the cache, from 0 to 1; `null` without prompts. */
  cacheShare: number | null;
  /** Paid work that is no longer part of its conversation: rewound, cancelled, rolled back. */
  takenBack: { requests: number; tokens: number; costMicroUsd: number | null };
  subagents: { told: Subagents; sessions: number; requests: number; tokens: number };
  unpriced: UnpricedModel[];
  notes: string[];
}

export interface UnpricedModel {
  model: string | null;
  requests: number;
  tokens: number;
  why: string;
}

/** Gathers, request by request, what has to be said about a report. */
export class Remarks {
  readonly #told: Subagents;
  readonly #takenBack = new Tally();
  readonly #unpriced = new Map<string | undefined, UnpricedModel>();
  readonly #odd: Diagnostic[] = [];
  readonly #subsessions = new Set<string>();
  readonly #sources = new Set<string>();
  /** Sessions by what their generation loses. */
  readonly #losing = new Map<string, Set<string>>();
  #sub = { requests: 0, tokens: 0 };
  #requests = 0;
  #input = 0;
  #cached = 0;
  #oddRequests = 0;
  #last: PaidRequest["digest"] | undefined;

  constructor(told: Subagents) {
    this.#told = told;
  }

  add(request: PaidRequest): void {
    const { fact, digest, cost, requests } = request;
    this.#requests += requests;
    this.#input += fact.input;
    this.#cached += fact.cached;
    if (fact.standing === "rewound") this.#takenBack.add(request, fact.sessionId);
    if (cost === undefined) this.#addUnpriced(request);
    if (fact.oddities) {
      this.#oddRequests += 1;
      this.#odd.push(...oddDiagnostics(fact));
    }
    if (digest.summary.kind === "subagent") {
      this.#sub.requests += requests;
      this.#sub.tokens += fact.total;
      this.#subsessions.add(digest.summary.id);
    }
    if (digest === this.#last) return;
    this.#last = digest;
    this.#sources.add(digest.summary.source);
    for (const { generation } of digest.session.files) {
      const known = this.#losing.get(generation);
      if (known) known.add(digest.summary.id);
      else this.#losing.set(generation, new Set([digest.summary.id]));
    }
  }

  tell(basis: UsageBasis, filter: LedgerFilter): UsageRemarks {
    const { coverage } = basis;
    const back = this.#takenBack;
    const { costMicroUsd } = back.sums();
    const damage = coverage.diagnostics.filter(({ severity }) => severity === "damage");
    return {
      coverage: {
        ...coverage,
        diagnostics: [...coverage.diagnostics, ...this.#odd],
        requests: this.#requests,
        rejected: damage.length,
        oddRequests: this.#oddRequests,
      },
      cacheShare: this.#input === 0 ? null : this.#cached / this.#input,
      takenBack: { requests: back.requests, tokens: back.tokens.total, costMicroUsd },
      subagents: { told: this.#told, sessions: this.#subsessions.size, ...this.#sub },
      unpriced: [...this.#unpriced.values()].toSorted((a, b) => b.tokens - a.tokens),
      notes: this.#notes(basis, filter),
    };
  }

  #addUnpriced({ fact, why = "", requests }: PaidRequest): void {
    const { total } = fact;
    const model = modelName(fact.model);
    const known = this.#unpriced.get(model);
    if (known) {
      known.requests += requests;
      known.tokens += total;
    } else {
      this.#unpriced.set(model, { model: model ?? null, requests, tokens: total, why });
    }
  }

  #notes(basis: UsageBasis, { sinceMs, untilMs }: LedgerFilter): string[] {
    const notes: string[] = [];
    for (const source of this.#sources) {
      const spot = basis.blindSpots.get(source);
      if (!spot) continue;
      notes.push(spot.unrecorded);
      for (const { generations, what } of spot.losses) {
        const ids = new Set(generations.flatMap((one) => [...(this.#losing.get(one) ?? [])]));
        if (ids.size > 0) notes.push(`${sessionsText(ids.size)} ${what}`);
      }
    }
    const timeless = sinceMs === undefined && untilMs === undefined ? 0 : countTimeless(basis);
    if (timeless > 0) notes.push(`${timeless} requests have no time and lie within no period.`);
    return notes;
  }
}

function sessionsText(count: number): string {
  return count === 1 ? "1 session" : `${count} sessions`;
}

function countTimeless({ digests, timeless }: UsageBasis): number {
  if (timeless !== undefined) return timeless;
  let count = 0;
  for (const { session, usage } of digests) {
    if (session.startedAt !== undefined) continue;
    for (const { at } of usage) if (at === undefined) count += 1;
  }
  return count;
}
