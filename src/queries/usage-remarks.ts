import type { Diagnostic } from "../core/diagnostic.ts";
import type { Coverage } from "./coverage.ts";
import { modelName } from "./groupings.ts";
import type { LedgerFilter, PaidRequest, Subagents } from "./ledger.ts";
import { oddDiagnostics } from "./odd-counts.ts";
import type { PackedTally } from "./tally.ts";
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

/** What was gathered about some sessions, to be added to that about others. */
export interface PackedRemarks {
  takenBack: PackedTally;
  unpriced: UnpricedModel[];
  odd: Diagnostic[];
  sources: string[];
  /** How many sessions were written by these generations. */
  written: [generations: string[], sessions: number][];
  counts: Counts;
}

interface Counts {
  requests: number;
  input: number;
  cached: number;
  oddRequests: number;
  subsessions: number;
  subRequests: number;
  subTokens: number;
}

/** Gathers, request by request, what has to be said about a report. */
export class Remarks {
  readonly #told: Subagents;
  readonly #takenBack = new Tally();
  readonly #unpriced = new Map<string | null, UnpricedModel>();
  readonly #odd: Diagnostic[] = [];
  readonly #sources = new Set<string>();
  /** Sessions by the generations that wrote them. */
  readonly #written = new Map<string, [generations: string[], sessions: number]>();
  readonly #counts: Counts = {
    requests: 0,
    input: 0,
    cached: 0,
    oddRequests: 0,
    subsessions: 0,
    subRequests: 0,
    subTokens: 0,
  };
  /** Requests come session by session. */
  #last: PaidRequest["digest"] | undefined;

  constructor(told: Subagents) {
    this.#told = told;
  }

  add(request: PaidRequest): void {
    const { fact, digest, cost, requests } = request;
    const counts = this.#counts;
    counts.requests += requests;
    counts.input += fact.input;
    counts.cached += fact.cached;
    if (fact.standing === "rewound") this.#takenBack.add(request, fact.sessionId);
    if (cost === undefined) {
      const model = modelName(fact.model) ?? null;
      this.#addUnpriced({ model, requests, tokens: fact.total, why: request.why ?? "" });
    }
    if (fact.oddities) {
      counts.oddRequests += 1;
      this.#odd.push(...oddDiagnostics(fact));
    }
    const isSub = digest.summary.kind === "subagent";
    if (isSub) {
      counts.subRequests += requests;
      counts.subTokens += fact.total;
    }
    if (digest === this.#last) return;
    this.#last = digest;
    if (isSub) counts.subsessions += 1;
    this.#sources.add(digest.summary.source);
    const generations = new Set(digest.session.files.map(({ generation }) => generation));
    this.#addWritten([...generations].toSorted(), 1);
  }

  pack(): PackedRemarks {
    return {
      takenBack: this.#takenBack.pack(),
      unpriced: [...this.#unpriced.values()],
      odd: this.#odd,
      sources: [...this.#sources],
      written: [...this.#written.values()],
      counts: this.#counts,
    };
  }

  /** Takes over what was gathered about other sessions. */
  unpack({ takenBack, unpriced, odd, sources, written, counts }: PackedRemarks): void {
    this.#takenBack.unpack(takenBack);
    for (const one of unpriced) this.#addUnpriced(one);
    this.#odd.push(...odd);
    for (const source of sources) this.#sources.add(source);
    for (const [generations, sessions] of written) this.#addWritten(generations, sessions);
    const fields = Object.keys(this.#counts) as (keyof Counts)[];
    for (const field of fields) this.#counts[field] += counts[field];
  }

  tell(basis: UsageBasis, filter: LedgerFilter): UsageRemarks {
    const { coverage } = basis;
    const back = this.#takenBack;
    const { requests, input, cached, oddRequests, subsessions, ...sub } = this.#counts;
    const { costMicroUsd } = back.sums();
    const damage = coverage.diagnostics.filter(({ severity }) => severity === "damage");
    return {
      coverage: {
        ...coverage,
        diagnostics: [...coverage.diagnostics, ...this.#odd],
        requests,
        rejected: damage.length,
        oddRequests,
      },
      cacheShare: input === 0 ? null : cached / input,
      takenBack: { requests: back.requests, tokens: back.tokens.total, costMicroUsd },
      subagents: {
        told: this.#told,
        sessions: subsessions,
        requests: sub.subRequests,
        tokens: sub.subTokens,
      },
      unpriced: [...this.#unpriced.values()].toSorted((a, b) => b.tokens - a.tokens),
      notes: this.#notes(basis, filter),
    };
  }

  #addUnpriced(more: UnpricedModel): void {
    const known = this.#unpriced.get(more.model);
    if (known) {
      known.requests += more.requests;
      known.tokens += more.tokens;
    } else {
      this.#unpriced.set(more.model, { ...more });
    }
  }

  #addWritten(generations: string[], sessions: number): void {
    const key = generations.join("\n");
    const known = this.#written.get(key);
    if (known) known[1] += sessions;
    else this.#written.set(key, [generations, sessions]);
  }

  #notes(basis: UsageBasis, { sinceMs, untilMs }: LedgerFilter): string[] {
    const notes: string[] = [];
    for (const source of this.#sources) {
      const spot = basis.blindSpots.get(source);
      if (!spot) continue;
      notes.push(spot.unrecorded);
      for (const { generations, what } of spot.losses) {
        const count = this.#writtenBy(new Set(generations));
        if (count > 0) notes.push(`${sessionsText(count)} ${what}`);
      }
    }
    const timeless = sinceMs === undefined && untilMs === undefined ? 0 : countTimeless(basis);
    if (timeless > 0) notes.push(`${timeless} requests have no time and lie within no period.`);
    return notes;
  }

  #writtenBy(generations: ReadonlySet<string>): number {
    return [...this.#written.values()].reduce((sum, [theirs, sessions]) => {
      return theirs.some((one) => generations.has(one)) ? sum + sessions : sum;
    }, 0);
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
