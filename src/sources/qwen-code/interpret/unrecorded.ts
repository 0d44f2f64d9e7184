import type { Counts } from "../../../core/usage/counts.ts";
import { instantOf } from "../../../core/instant.ts";
import type { UnrecordedUsage } from "../../../core/session/session.ts";
import type { Entry, ProcessTotals } from "../content.ts";
import { USAGE_RECORD } from "../formats/usage-record.ts";
import type { Tree } from "./tree.ts";

const FIELDS = ["input", "cached", "output", "thoughts", "total"] as const;
type Sums = Record<(typeof FIELDS)[number] | "requests", number>;

interface Recorded {
  tree: Tree;
  /** When the session itself started: older records were copied from another session. */
  firstAt?: string | undefined;
}

/**
 * Returns how much the totals of a session's processes exceed its telemetry: predictions of the
 * next prompt, checks of tool calls, and unrecorded sessions. The totals of a process that resumed
 * a session include what was on the chain when it started.
 */
export function unrecordedOf(
  lines: readonly ProcessTotals[],
  recorded: Recorded | undefined,
): UnrecordedUsage[] {
  const beyond = new Map<string, Sums>();
  for (const line of lines) {
    const known = recorded ? knownBy(line, recorded) : new Map<string, Sums>();
    for (const { model, requests, counts } of line.models) {
      const rest = minus({ requests, ...sumsOf(counts) }, known.get(model) ?? none());
      if (rest.input > 0 || rest.output > 0) addTo(beyond, model, rest);
    }
  }
  return [...beyond].map(([model, sums]) => asUnrecorded(model, sums));
}

function knownBy(
  { startMs, endMs }: ProcessTotals,
  { tree, firstAt = "" }: Recorded,
): Map<string, Sums> {
  const known = new Map<string, Sums>();
  const ownMs = instantOf(firstAt);
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
    last = tree.byId.get(last.parentUuid ?? "");
  }
  return known;
}

function addRequest(known: Map<string, Sums>, entry: Entry): void {
  if (entry.kind !== "request") return;
  const { model = "", counts } = entry.request;
  addTo(known, model, { requests: 1, ...sumsOf(counts) });
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
