import type { Session } from "../../core/session.ts";

/** An event before it is made: its place in time is found first. */
export interface Moment<T> {
  what: T;
  /** Epoch milliseconds, when recorded. */
  recordedMs?: number;
  /** The moment that must come before it, whatever the clocks say. */
  after?: Moment<T>;
}

export interface Timed<T> {
  what: T;
  atMs: number | null;
  isDerived: boolean;
}

/**
 * Puts moments in the order of time. What has no time of its own stays behind its neighbour; its
 * time is made from it, a millisecond later, but never later than the next recorded one.
 */
export function arrange<T>(moments: readonly Moment<T>[], startMs: number | null): Timed<T>[] {
  const keys = new Map<Moment<T>, number>();
  let last = Number.NEGATIVE_INFINITY;
  for (const moment of moments) {
    const floor = moment.after ? (keys.get(moment.after) ?? last) : Number.NEGATIVE_INFINITY;
    last = Math.max(moment.recordedMs ?? (moment.after ? floor : last), floor);
    keys.set(moment, last);
  }
  const sorted = moments.toSorted((a, b) => (keys.get(a) ?? 0) - (keys.get(b) ?? 0) || 0);
  return deriveTimes(sorted, startMs);
}

function deriveTimes<T>(sorted: readonly Moment<T>[], startMs: number | null): Timed<T>[] {
  const limits = nextRecorded(sorted);
  let last = startMs;
  return sorted.map(({ what, recordedMs }, index) => {
    if (recordedMs !== undefined && (last === null || recordedMs >= last)) {
      last = recordedMs;
      return { what, atMs: recordedMs, isDerived: false };
    }
    // A result that claims to be older than its call: the record is kept, the order too.
    if (recordedMs !== undefined) return { what, atMs: recordedMs, isDerived: false };
    const limit = limits[index];
    const base = last ?? limit;
    if (base === undefined) return { what, atMs: null, isDerived: true };
    last = Math.min(base + 1, limit ?? Number.POSITIVE_INFINITY);
    return { what, atMs: last, isDerived: true };
  });
}

function nextRecorded(sorted: readonly Moment<unknown>[]): (number | undefined)[] {
  let next: number | undefined;
  return sorted
    .toReversed()
    .map(({ recordedMs }) => (next = recordedMs ?? next))
    .toReversed();
}

/**
 * When a session began, by the name of its file or else by the time of its last change:
 *
 *     session-2025-09-18T02-45-3b44bc68.json    session-1794727421000-3b44bc68.jsonl
 */
export function startByFile(
  files: Session["files"],
): { ms: number; from: "file-name" | "file-time" } | null {
  for (const { path } of files) {
    const ms = timeInName(path);
    if (ms !== undefined) return { ms, from: "file-name" };
  }
  const times = files.map(({ modifiedMs }) => modifiedMs).filter((ms) => Number.isFinite(ms));
  return times.length === 0 ? null : { ms: Math.min(...times), from: "file-time" };
}

function timeInName(path: string): number | undefined {
  const name = path.split(/[\\/]/).at(-1) ?? "";
  const parts = /(\d{4}-\d\d-\d\d)T(\d\d)[-:](\d\d)(?:[-:](\d\d)(?=[-.Z]|$))?/.exec(name);
  if (parts) {
    const ms = Date.parse(`${parts[1]}T${parts[2]}:${parts[3]}:${parts[4] ?? "00"}Z`);
    if (!Number.isNaN(ms)) return ms;
  }
  const epoch = /(?<!\d)(1\d{12})(?!\d)/.exec(name)?.[1];
  return epoch === undefined ? undefined : Number(epoch);
}

export function msOf(time: string | undefined): number | undefined {
  const ms = Date.parse(time ?? "");
  return Number.isNaN(ms) ? undefined : ms;
}
