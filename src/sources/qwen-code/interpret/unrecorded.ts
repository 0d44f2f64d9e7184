import type { Counts } from "../../../core/usage/counts.ts";
import { instantOf } from "../../../core/instant.ts";
import type { UnrecordedUsage } from "../../../core/session/session.ts";
import type { Entry, ProcessTotals } from "../content.ts";
import { USAGE_RECORD } from "../formats/usage-record.ts";
import type { Tree } from "./tree.ts";

const FIELDS = ["input", "cached", "output", "thoughts", "total"] as const;
type Sums = Record<(typeof FIELDS)[number] | "requests", number>;

/** What a session recorded. */
export interface Recorded {
  tree: Pick<Tree, "entries" | "byId">;
  /** When the session itself started: older records were copied from another session. */
  firstAt?: string | undefined;
}

/**
 * Returns how much the totals of a session's processes exceed its telemetry: predictions of the
 * next prompt, checks of tool calls, and unrecorded sessions. The totals of a process that resumed
 * a session include what was on the chain when it started, and what it recorded in other sessions
 * before (`leftDuring`).
 */
export function unrecordedOf(
  lines: readonly ProcessTotals[],
  recorded: Recorded | undefined,
  leftDuring: (line: ProcessTotals) => readonly Recorded[] = () => [],
): UnrecordedUsage[] {
  const beyond = new Map<string, Sums>();
  for (const line of lines) {
    let models = withoutRecorded(line, recorded);
    for (const left of models.length > 0 ? leftDuring(line) : []) {
      if (isServedBy({ ...line, models }, left)) {
        models = withoutRecorded({ ...line, models }, left);
      }
    }
    for (const { model, requests, counts } of models) {
      addTo(beyond, model, { requests, ...sumsOf(counts) });
    }
  }
  return [...beyond].map(([model, sums]) => asUnrecorded(model, sums));
}

/** Returns the totals of a process without what a session recorded of them. */
export function withoutRecorded(
  line: ProcessTotals,
  recorded: Recorded | undefined,
): ProcessTotals["models"] {
  const known = recorded ? knownBy(line, recorded) : new Map<string, Sums>();
  return line.models.flatMap(({ model, requests, counts }) => {
    const rest = minus({ requests, ...sumsOf(counts) }, known.get(model) ?? none());
    const { requests: left, ...sums } = rest;
    const isAny = sums.input > 0 || sums.output > 0;
    return isAny ? [{ model, requests: left, counts: { ...counts, ...sums } }] : [];
  });
}

/** Whether a session recorded requests while a process ran, and the totals contain them. */
export function isServedBy(line: ProcessTotals, recorded: Recorded): boolean {
  const { startMs, endMs, models } = line;
  const isUsed = recorded.tree.entries.some(({ kind, at = "" }) => {
    const ms = instantOf(at);
    return kind === "request" && ms >= startMs && ms <= endMs;
  });
  const totals = new Map(models.map(({ model, counts }) => [model, sumsOf(counts)]));
  return (
    isUsed &&
    [...knownBy(line, recorded)].every(([model, { total }]) => {
      return total <= (totals.get(model)?.total ?? 0);
    })
  );
}

/**
 * Longest time that `/branch` takes: from the first own record to the time from which on the
 * process counts for the fork (0.21). The copied part is then in the totals twice, as below.
 */
const LONGEST_BRANCH_MS = 5000;

function knownBy(
  { startMs, endMs }: ProcessTotals,
  { tree, firstAt = "" }: Recorded,
): Map<string, Sums> {
  const known = new Map<string, Sums>();
  const ownMs = instantOf(firstAt);
  const isBranch = startMs >= ownMs && startMs - ownMs <= LONGEST_BRANCH_MS;
  let last: Entry | undefined;
  for (const entry of tree.entries) {
    const ms = instantOf(entry.at ?? "");
    if (ms < startMs) last = entry;
    else if (ms <= endMs) {
      addRequest(known, entry);
      // The process forked its own session, and counted this a second time.
      if (ms < ownMs) addRequest(known, entry);
    }
  }
  const seen = new Set<string>();
  while (last && !seen.has(last.uuid)) {
    seen.add(last.uuid);
    addRequest(known, last);
    if (isBranch && instantOf(last.at ?? "") < ownMs) addRequest(known, last);
    last = tree.byId.get(last.parentUuid ?? "");
  }
  return known;
}

function addRequest(known: Map<string, Sums>, entry: Entry): void {
  if (entry.kind === "request") {
    const { model = "", counts } = entry.request;
    addTo(known, model, { requests: 1, ...sumsOf(counts) });
  } else if ("failedModel" in entry && entry.failedModel !== undefined) {
    addTo(known, entry.failedModel, { ...none(), requests: 1 });
  }
}

function addTo(sums: Map<string, Sums>, model: string, more: Sums): void {
  const before = sums.get(model) ?? none();
  for (const field of [...FIELDS, "requests"] as const) before[field] += more[field];
  sums.set(model, before);
}

function none(): Sums {
  return { requests: 0, input: 0, cached: 0, output: 0, thoughts: 0, total: 0 };
}

function sumsOf(counts: Counts): Omit<Sums, "requests"> {
  const { input = 0, cached = 0, output = 0, thoughts = 0, total = input + output } = counts;
  return { input, cached, output, thoughts, total };
}

function minus(a: Sums, b: Sums): Sums {
  const rest = none();
  for (const field of [...FIELDS, "requests"] as const) {
    rest[field] = Math.max(0, a[field] - b[field]);
  }
  return rest;
}

function asUnrecorded(model: string, { requests, ...counts }: Sums): UnrecordedUsage {
  return {
    model,
    from: USAGE_RECORD,
    requests,
    counts: { shape: "cache-inside-input", reasoning: "inside-output", ...counts },
    costUsd: null,
  };
}
