import { instantOf } from "../../../core/instant.ts";
import type { Entry, Meta, Rollout } from "../content.ts";
import { isInjected } from "../formats/user-text.ts";
import { idTime } from "../names.ts";

/** A longer pause than any while writing a copy. */
const PAUSE_MS = 250;
/** No answer of a model comes so soon. */
const AT_ONCE_MS = 3;
/** Nothing but typing takes so long. */
const LONG_PAUSE_MS = 1000;

/** Versions before turns had ids (0.100). A file keeps the version that made it. */
const WITHOUT_TURN_IDS = /^0\.\d{1,2}\./;
/** Versions that copied only items, without a header. */
const WITHOUT_HEADER = /^0\.3[2-5]\./;

/**
 * Returns the first line that was not copied. Forks up to 0.147, and agents that inherit history,
 * begin with lines of another thread: its header, then its lines with new times. Turn ids show
 * which turns are inherited. Before turn ids, lines are compared with the original file; without
 * that file, the first pause decides. A newer version that resumed such a fork added turn ids.
 */
export function ownLineOf(
  rollout: Rollout,
  byThread: ReadonlyMap<string, { rollout: Rollout }>,
): number {
  const { meta, entries, copiedFrom } = rollout;
  if (!meta) return 0;
  if (copiedFrom === undefined) return ownLineWithoutHeader(rollout, meta);
  if (meta.ownOrdinal !== undefined) return lineOfOrdinal(entries, meta.ownOrdinal);
  const end = ownTurnOf(rollout, meta);
  if (rollout.hasTurns && !WITHOUT_TURN_IDS.test(meta.cliVersion ?? "")) return end;
  const parent = byThread.get(copiedFrom);
  const common = parent && endOfCommon(rollout, parent.rollout);
  return Math.min(end, common ?? firstPause(rollout.times, end));
}

/** `codex migrate-rollouts` removes the header of the other thread, and 0.34 wrote none. */
function ownLineWithoutHeader(rollout: Rollout, meta: Meta): number {
  const { entries, hasTurns } = rollout;
  const version = meta.cliVersion ?? "";
  if (WITHOUT_TURN_IDS.test(version)) {
    const { prompts, end } = writtenAtOnce(entries);
    if (hasTurns && entries.some(isNumberedTurn)) return prompts > 1 ? (end ?? 0) : 0;
    if (WITHOUT_HEADER.test(version)) return firstAsked(entries);
    const isCopy = rollout.isSecondLost === true && isAnsweredAtOnce(entries);
    return isCopy ? (end ?? rollout.lines + 1) : 0;
  }
  // Forks with a base have no copy.
  if (meta.base !== undefined) return 0;
  if (!hasTurns) return rollout.lastAt === undefined ? stateAfterCopy(entries) : 0;
  const own = ownTurnOf(rollout, meta);
  if (meta.forkedFrom !== undefined) return own;
  // An agent may begin with the last turns of its parent and name only that (before 0.142).
  return meta.parentId !== undefined && own <= rollout.lines ? own : 0;
}

/**
 * Up to 0.31 lines have no times, and a state follows each prompt. A resume (0.29) writes a new
 * file: it begins with the items so far, which have no states among them.
 */
function stateAfterCopy(entries: readonly Entry[]): number {
  const prompt = entries.findIndex((entry) => {
    return entry.kind === "said" && entry.role === "user" && !isInjected(entry);
  });
  const rest = entries.slice(prompt + 1);
  if (prompt === -1 || rest[0]?.kind === "state") return 0;
  return rest.find(({ kind }) => kind === "state")?.place.line ?? 0;
}

/** The migration gives turns without an id a number: `rollout-5`. */
function isNumberedTurn(entry: Entry): boolean {
  return entry.kind === "turn-start" && /^rollout-\d+$/.test(entry.turnId ?? "");
}

/** Whether the counts of the first answer were written with its prompt: no model is so fast. */
function isAnsweredAtOnce(entries: readonly Entry[]): boolean {
  const prompt = entries.findIndex(({ kind }) => kind === "prompt");
  const counter = entries.slice(prompt).find(({ kind }) => kind === "counter");
  const [from, to] = [entries[prompt]?.at, counter?.at];
  return from !== undefined && to !== undefined && instantOf(to) - instantOf(from) <= AT_ONCE_MS;
}

/** Returns how many prompts precede the first pause, and its line. */
function writtenAtOnce(entries: readonly Entry[]): { prompts: number; end?: number } {
  let before = Number.POSITIVE_INFINITY;
  let prompts = 0;
  for (const { kind, at, place } of entries) {
    if (kind === "meta" || at === undefined) continue;
    const time = instantOf(at);
    if (time - before > PAUSE_MS) return { prompts, end: place.line };
    if (kind === "prompt") prompts += 1;
    before = time;
  }
  return { prompts };
}

/** Returns the line of the first prompt if answers precede it. */
function firstAsked(entries: readonly Entry[]): number {
  const event = entries.findIndex(({ kind }) => kind === "prompt");
  const before = entries.slice(0, Math.max(0, event));
  const hasAnswers = before.some((entry) => entry.kind === "said" && entry.role === "assistant");
  // The item of a prompt is written before its event.
  return hasAnswers ? (before.at(-1)?.place.line ?? 0) : 0;
}

/** Returns the line of the first turn that is not older than the thread, or the end. */
function ownTurnOf({ entries, lines }: Rollout, { threadId = "" }: Meta): number {
  const begun = idTime(threadId);
  const own = entries.find((entry) => {
    // The start of a turn may be damaged.
    const isOfTurn = entry.kind === "turn-start" || entry.kind === "context";
    return isOfTurn && idTime(entry.turnId ?? "") >= begun;
  });
  return own?.place.line ?? lines + 1;
}

function lineOfOrdinal(entries: readonly Entry[], from: number): number {
  return entries.find(({ ordinal = -1 }) => ordinal >= from)?.place.line ?? Number.MAX_SAFE_INTEGER;
}

/** Lines to skip in a copy and in its original where one of them is damaged. */
const DAMAGE: readonly (readonly [number, number])[] = [
  [0, 0],
  [1, 0],
  [0, 1],
  [1, 1],
  [2, 0],
  [0, 2],
  [2, 1],
  [1, 2],
  [3, 1],
];

/**
 * Returns the line at which a copy stops to equal the original, or a long pause begins: then what
 * follows was typed again. Undefined if nothing is equal.
 */
function endOfCommon({ prints, times, lines }: Rollout, original: Rollout): number | undefined {
  const copy = Object.keys(prints).map(Number);
  const wanted = Object.values(original.prints);
  const equal = (from: number, at: number): boolean => {
    const line = copy[from];
    return line !== undefined && wanted[at] !== undefined && prints[line] === wanted[at];
  };
  const pauseAt = (from: number): number => {
    const [before, after] = [times[copy[from - 1] ?? 0], times[copy[from] ?? 0]];
    return before === undefined || after === undefined ? 0 : after - before;
  };
  let [from, at, count] = [0, 0, 0];
  for (;;) {
    const skip = DAMAGE.find(([more, less], kind) => {
      const [next, of] = [from + more, at + less];
      return equal(next, of) && (kind === 0 || from === 0 || equal(next + 1, of + 1));
    });
    if (!skip || pauseAt(from) > LONG_PAUSE_MS) break;
    [from, at, count] = [from + skip[0] + 1, at + skip[1] + 1, count + 1];
  }
  if (count < 2) return undefined;
  // The last lines of the copy may be those that are damaged.
  const rest = [0, 1, 2].find((more) => pauseAt(from + more) > PAUSE_MS) ?? 0;
  return copy[from + rest] ?? lines + 1;
}

function firstPause(times: readonly number[], end: number): number {
  let before: number | undefined;
  for (const [line, time] of times.entries()) {
    if (time === undefined || Number.isNaN(time)) continue;
    if (before !== undefined && time - before > PAUSE_MS) return line;
    before = time;
  }
  return end;
}
