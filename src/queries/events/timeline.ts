import type { Message } from "../../core/message.ts";
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

/** Moments of one message. */
export interface Step<T> {
  moments: readonly Moment<T>[];
  /** None of them and none that follows is put before this time. */
  fromMs: number;
}

/**
 * Puts moments in the order of time, as they come: each is told as soon as none that follows can be
 * earlier. What has no time of its own stays behind its neighbour; its time is made from it, a
 * millisecond later, but never later than the next recorded one.
 */
export function* arrange<T>(steps: Iterable<Step<T>>, startMs: number | null): Generator<Timed<T>> {
  const times = new Times<T>(startMs);
  for (const moment of inOrder(steps)) yield* times.take(moment);
  yield* times.rest();
}

/** What was thought may be told much later, with what was said after a pause. */
const LOOK_AHEAD = 100;

/** `earliest`: what is known of all messages before they are read. */
export function* boundedSteps<T>(
  told: Iterable<Moment<T>[]>,
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
  for (const moments of told) {
    ahead.push(moments);
    if (ahead.length > LOOK_AHEAD) yield next();
  }
  while (ahead.length > 0) yield next();
}

/** For each message: before which time neither it nor any behind it is put. */
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
    const told = ready === -1 ? waiting : waiting.slice(0, ready);
    waiting = ready === -1 ? [] : waiting.slice(ready);
    for (const { moment } of told) yield moment;
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

/** Behind all that are not later: most come in order. */
function insert<T>(into: Placed<T>[], placed: Placed<T>): void {
  const before = into.findLastIndex(({ key }) => key <= placed.key);
  into.splice(before + 1, 0, placed);
}

/** Gives times to moments in order; those without wait for the next one that has its own. */
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
    // A result that claims to be older than its call: the record is kept, the order too.
    if (this.#last === null || recordedMs >= this.#last) this.#last = recordedMs;
    yield { what, atMs: recordedMs, isDerived: false };
  }

  /** Those that wait: no later than the limit. */
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
