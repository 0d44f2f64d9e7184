import type { Message } from "../../core/session/message.ts";
import type { Session } from "../../core/session/session.ts";

/** An event before it gets its time. */
export interface Moment<T> {
  what: T;
  /** Epoch milliseconds, when recorded. */
  recordedMs?: number;
  /** The moment that must come before this one, whatever the recorded times are. */
  after?: Moment<T>;
}

export interface Timed<T> {
  what: T;
  atMs: number | null;
  isDerived: boolean;
}

/** The moments of one message. */
export interface Step<T> {
  moments: readonly Moment<T>[];
  /** Lower bound for the time of these moments and all that follow. */
  fromMs: number;
}

/**
 * Sorts moments by time as they arrive: each is emitted once nothing earlier can follow. A moment
 * without a time stays behind its neighbour and gets that time plus one millisecond, but no more
 * than the next recorded time.
 */
export function* arrange<T>(steps: Iterable<Step<T>>, startMs: number | null): Generator<Timed<T>> {
  const times = new Times<T>(startMs);
  for (const moment of inOrder(steps)) yield* times.take(moment);
  yield* times.rest();
}

/** Thoughts may be recorded long after their time, with the text that followed a pause. */
const LOOK_AHEAD = 100;

/** `earliest`: lower bounds of all messages, known before they are read. */
export function* boundedSteps<T>(
  byMessage: Iterable<Moment<T>[]>,
  earliest: readonly number[],
): Generator<Step<T>> {
  const ahead: Moment<T>[][] = [];
  let at = 0;
  const next = (): Step<T> => {
    let fromMs = earliest[at] ?? Number.POSITIVE_INFINITY;
    for (const moments of ahead) {
      for (const { recordedMs = fromMs } of moments) fromMs = Math.min(fromMs, recordedMs);
    }
    at += 1;
    return { moments: ahead.shift() ?? [], fromMs };
  };
  for (const moments of byMessage) {
    ahead.push(moments);
    if (ahead.length > LOOK_AHEAD) yield next();
  }
  while (ahead.length > 0) yield next();
}

/** For each message, a lower bound for its time and that of all messages after it. */
export function earliestOf(messages: readonly Message[]): number[] {
  let before = Number.NEGATIVE_INFINITY;
  const own = messages.map(({ at, toolCalls }) => {
    const saidMs = msOf(at) ?? before;
    before = toolCalls.reduce((least, call) => Math.min(least, msOf(call.at) ?? least), saidMs);
    return before;
  });
  let next = Number.POSITIVE_INFINITY;
  for (let at = own.length - 1; at >= 0; at -= 1) own[at] = next = Math.min(own[at] ?? next, next);
  return own;
}

interface Placed<T> {
  moment: Moment<T>;
  key: number;
}

function* inOrder<T>(steps: Iterable<Step<T>>): Generator<Moment<T>> {
  const keys = new WeakMap<Moment<T>, number>();
  let last = Number.NEGATIVE_INFINITY;
  let waiting: Placed<T>[] = [];
  for (const { moments, fromMs } of steps) {
    const ready = waiting.findIndex(({ key }) => key > fromMs);
    const due = ready === -1 ? waiting : waiting.slice(0, ready);
    waiting = ready === -1 ? [] : waiting.slice(ready);
    for (const { moment } of due) yield moment;
    for (const moment of moments) {
      const floor = moment.after ? (keys.get(moment.after) ?? last) : fromMs;
      const own = moment.recordedMs ?? (moment.after ? floor : last);
      last = Math.max(own, floor);
      keys.set(moment, last);
      insert(waiting, { moment, key: last });
    }
  }
  for (const { moment } of waiting) yield moment;
}

/** Inserts after all moments that are not later. Searches from the end, as most arrive in order. */
function insert<T>(into: Placed<T>[], placed: Placed<T>): void {
  const before = into.findLastIndex(({ key }) => key <= placed.key);
  into.splice(before + 1, 0, placed);
}

/** Assigns times in order; moments without one wait for the next recorded time. */
class Times<T> {
  #last: number | null;
  #untimed: T[] = [];

  constructor(startMs: number | null) {
    this.#last = startMs;
  }

  *take({ what, recordedMs }: Moment<T>): Generator<Timed<T>> {
    if (recordedMs === undefined) {
      this.#untimed.push(what);
      return;
    }
    yield* this.rest(recordedMs);
    // A result recorded earlier than its call keeps its recorded time and its position.
    if (this.#last === null || recordedMs >= this.#last) this.#last = recordedMs;
    yield { what, atMs: recordedMs, isDerived: false };
  }

  /** Emits the waiting moments, with times up to the limit. */
  *rest(limit?: number): Generator<Timed<T>> {
    for (const what of this.#untimed) {
      const base = this.#last ?? limit;
      if (base === undefined) yield { what, atMs: null, isDerived: true };
      else {
        this.#last = Math.min(base + 1, limit ?? Number.POSITIVE_INFINITY);
        yield { what, atMs: this.#last, isDerived: true };
      }
    }
    this.#untimed = [];
  }
}

/**
 * The start of a session, from its file name or else from the file's last change:
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
