import type { Entry, Usage } from "../content.ts";
import type { RolloutInGroup } from "./strands.ts";

/** A paid response of a rollout. */
export interface PaidResponse {
  entry: Entry;
  /** The same wherever the response is recorded. */
  id: string;
  usage: Usage;
  model: string | undefined;
  /** Set for a request that wrote a summary. */
  purpose?: "compression";
}

/**
 * Returns the paid responses of a rollout. From 0.153 on each response has its own record. Before,
 * a response is where the running total changes, and its usage is the difference: the total is
 * repeated when limits are refreshed, restarts at zero when 0.36 and 0.50 resume, and the counts of
 * the last response may be an estimate.
 */
export function paidResponsesOf(strand: RolloutInGroup): PaidResponse[] {
  const { rollout, threadId, rolloutId, ownLine } = strand;
  const paid = new Map<string, PaidResponse>();
  const models = new Models(rollout.entries);
  const totals = new Totals(totalBefore(strand), rollout.meta?.cliVersion);
  let isRecorded = false;
  for (const entry of rollout.entries) {
    if (entry.kind === "turn-start") models.turnId = entry.turnId;
    else if (entry.kind === "context") models.pass(entry);
    else if (entry.kind === "record") {
      const id = `${entry.threadId ?? threadId}:${entry.responseId}`;
      isRecorded = true;
      paid.set(id, { entry, id, usage: entry.usage, model: models.of(entry) });
    } else if (entry.kind === "state") totals.start();
    else if (entry.kind === "counter") {
      const isOwn = entry.place.line >= ownLine;
      const usage = totals.movedBy(entry, isOwn ? "own" : "copied");
      if (!usage) continue;
      if (isOwn && !isRecorded && isAnything(usage)) {
        const id = `${rolloutId}:${entry.key}`;
        paid.set(id, { entry, id, usage, model: models.of(entry) });
      }
      isRecorded = false;
    }
  }
  return withPurposes([...paid.values()], rollout.entries);
}

/**
 * Marks requests that wrote a summary. Their counts come right before it, maybe twice. If the API
 * itself compacts, there is no readable summary, and only a usage record (0.153+) that no counter
 * followed can belong to it.
 */
function withPurposes(paid: PaidResponse[], entries: readonly Entry[]): PaidResponse[] {
  if (!entries.some(({ kind }) => kind === "compacted")) return paid;
  const byEntry = new Map(paid.map((reply) => [reply.entry, reply]));
  const summaries = new Set<PaidResponse>();
  let record: PaidResponse | undefined;
  let above: PaidResponse | undefined;
  let line = 0;
  for (const entry of entries) {
    if (entry.kind === "compacted") {
      const written = line === entry.place.line - 1 ? above : undefined;
      const reply = entry.summary.print === "" ? record : written;
      if (reply) summaries.add(reply);
    }
    if (entry.kind !== "record" && entry.kind !== "counter") continue;
    const isNext = entry.place.line === line + 1;
    above = byEntry.get(entry) ?? (isNext ? above : undefined);
    record = entry.kind === "record" ? above : undefined;
    line = entry.place.line;
  }
  return paid.map((reply) => {
    return summaries.has(reply) ? { ...reply, purpose: "compression" } : reply;
  });
}

/**
 * The running totals of a rollout. From 0.80 to 0.147 two processes may continue a thread at the
 * same time: each goes on from the total that it found, and they write their totals in turn.
 */
class Totals {
  readonly #known = new Map<number, Usage>();
  readonly #canRestart: boolean;
  #before: Usage | undefined;
  #part: "copied" | "own" = "own";
  /** The next total is the first one of a process. */
  #isFirst = false;

  constructor(before: Usage | undefined, version = "") {
    this.#canRestart = !/^0\.(?:[89]\d|\d{3})\./.test(version);
    if (before) this.#add(before);
  }

  /** A process begins without a total, up to 0.79 also when it resumes. */
  start(): void {
    this.#isFirst = true;
  }

  /** Returns the usage of a response, or undefined if the total is repeated. */
  movedBy(
    { total, last }: { total: Usage; last: Usage },
    part: "copied" | "own",
  ): Usage | undefined {
    const isRestart = this.#isFirst && this.#canRestart && isSame(total, last);
    this.#isFirst = false;
    if (this.#has(total) && !isRestart) return undefined;
    const before = this.#before;
    // The last copied total may be on a damaged line.
    const isOther = part !== this.#part;
    this.#part = part;
    this.#add(total);
    if (!before || isOther || isSame(total, last)) return last;
    if (isBelow(total, before)) return last;
    return this.#has(minus(total, last)) ? last : minus(total, before);
  }

  #add(total: Usage): void {
    if (this.#canRestart) this.#known.clear();
    this.#known.set(total.total, total);
    this.#before = total;
  }

  #has(total: Usage): boolean {
    const known = this.#known.get(total.total);
    return known !== undefined && isSame(total, known);
  }
}

function isSame(a: Usage, b: Usage): boolean {
  return (
    a.total === b.total &&
    a.input === b.input &&
    a.cached === b.cached &&
    a.output === b.output &&
    a.reasoning === b.reasoning
  );
}

function isAnything({ input, cached, output, reasoning }: Usage): boolean {
  return input > 0 || cached > 0 || output > 0 || reasoning > 0;
}

function isBelow(a: Usage, b: Usage): boolean {
  return (
    a.input < b.input || a.cached < b.cached || a.output < b.output || a.reasoning < b.reasoning
  );
}

function minus(total: Usage, part: Usage): Usage {
  const difference: Usage = {
    input: total.input - part.input,
    cached: total.cached - part.cached,
    output: total.output - part.output,
    reasoning: total.reasoning - part.reasoning,
    total: Math.max(0, total.total - part.total),
  };
  if (total.cacheWrite !== undefined) {
    difference.cacheWrite = Math.max(0, total.cacheWrite - (part.cacheWrite ?? 0));
  }
  return difference;
}

/** A rollout that continues another one continues its counter. */
function totalBefore({ base }: RolloutInGroup): Usage | undefined {
  if (!base) return undefined;
  const { entries } = base.strand.rollout;
  const last = entries.findLast(({ kind, ordinal }) => {
    return kind === "counter" && ordinal !== undefined && ordinal < base.endOrdinal;
  });
  return last?.kind === "counter" ? last.total : totalBefore(base.strand);
}

/** The model of a response is that of its turn, otherwise the last recorded one. */
class Models {
  /** The last recorded model of each turn; a turn may record it after its first response. */
  readonly #byTurn = new Map<string, string>();
  #last: string | undefined;
  /** The turn that started last. */
  turnId: string | undefined;

  constructor(entries: readonly Entry[]) {
    for (const entry of entries) {
      if (entry.kind !== "context" || entry.turnId === undefined || entry.model === undefined)
        continue;
      if (!this.#byTurn.has(entry.turnId)) this.#byTurn.set(entry.turnId, entry.model);
    }
  }

  pass({ turnId, model }: Extract<Entry, { kind: "context" }>): void {
    this.#last = model ?? this.#last;
    // Versions without turn ids may continue a session of a newer one.
    this.turnId = turnId;
    if (turnId !== undefined && model !== undefined) this.#byTurn.set(turnId, model);
  }

  of(entry: Entry): string | undefined {
    const turnId = entry.kind === "record" ? entry.turnId : this.turnId;
    return (turnId === undefined ? undefined : this.#byTurn.get(turnId)) ?? this.#last;
  }
}
