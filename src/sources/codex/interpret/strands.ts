import { instantOf } from "../../../core/instant.ts";
import { originalPath } from "../../../core/files/session-file.ts";
import { compareTexts } from "../../../core/lists.ts";
import { idTime, rolloutName, stemOf } from "../names.ts";
import type { Entry, Meta, Rollout } from "../content.ts";
import type { DecodedFile } from "../../source.ts";

export type RolloutFile = DecodedFile<Rollout>;

/** A rollout within its group. */
export interface RolloutInGroup {
  file: RolloutFile;
  /** Other files with the same rollout: archived, packed, or older contents. */
  copies: RolloutFile[];
  rollout: Rollout;
  rolloutId: string;
  threadId: string;
  /** Sort key of the rollouts of a thread: the newest is the live one. */
  stem: string;
  base?: { strand: RolloutInGroup; endOrdinal: number };
  /** The first line that was not copied from another thread. */
  ownLine: number;
}

/** A longer pause than any while writing a copy. */
const PAUSE_MS = 250;

/** Returns every rollout once, with the start of its own lines. */
export function strandsOf(files: readonly RolloutFile[]): RolloutInGroup[] {
  const byStem = new Map<string, RolloutFile[]>();
  for (const file of files) {
    const stem = stemOf(originalPath(file.file));
    byStem.set(stem, [...(byStem.get(stem) ?? []), file]);
  }
  const strands = [...byStem].map(([stem, same]) => strandOf(stem, same));
  const byRollout = new Map(strands.map((strand) => [strand.rolloutId, strand]));
  const byThread = new Map(strands.map((strand) => [strand.threadId, strand]));
  for (const strand of strands) {
    const { base } = strand.rollout.meta ?? {};
    const before = base && byRollout.get(base.rolloutId);
    if (base && before && !isBasedOn(before, strand)) {
      strand.base = { strand: before, endOrdinal: base.endOrdinal };
    }
    strand.ownLine = ownLineOf(strand.rollout, byThread);
  }
  return strands;
}

/** Guards against a cycle of bases, which only a forged file can have. */
function isBasedOn(strand: RolloutInGroup, on: RolloutInGroup): boolean {
  for (let at: RolloutInGroup | undefined = strand; at; at = at.base?.strand)
    if (at === on) return true;
  return false;
}

function strandOf(stem: string, same: readonly RolloutFile[]): RolloutInGroup {
  const [file, ...copies] = same.toSorted(bestFirst) as [RolloutFile, ...RolloutFile[]];
  const name = rolloutName(stem);
  const rollout = file.content;
  const threadId = rollout.meta?.threadId ?? name?.threadId ?? stem;
  const rolloutId = name?.rolloutId ?? threadId;
  return { file, copies, rollout, rolloutId, threadId, stem, ownLine: 0 };
}

/** Current contents first, then the longest, then unpacked, then not archived. */
function bestFirst(a: RolloutFile, b: RolloutFile): number {
  return (
    Number(a.file.replaced !== undefined) - Number(b.file.replaced !== undefined) ||
    b.content.lines - a.content.lines ||
    b.content.entries.length - a.content.entries.length ||
    Number(isPackedFile(a)) - Number(isPackedFile(b)) ||
    Number(isArchived(a)) - Number(isArchived(b)) ||
    compareTexts(a.file.path, b.file.path)
  );
}

function isPackedFile({ file }: RolloutFile): boolean {
  return originalPath(file).endsWith(".zst");
}

function isArchived({ file }: RolloutFile): boolean {
  return /[\\/]archived_sessions[\\/]/.test(originalPath(file));
}

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
function ownLineOf(rollout: Rollout, byThread: ReadonlyMap<string, RolloutInGroup>): number {
  const { meta, entries, copiedFrom } = rollout;
  if (!meta) return 0;
  if (copiedFrom === undefined) return ownLineWithoutHeader(rollout, meta);
  if (meta.ownOrdinal !== undefined) return lineOfOrdinal(entries, meta.ownOrdinal);
  const end = ownTurnOf(rollout, meta);
  if (rollout.hasTurns && !WITHOUT_TURN_IDS.test(meta.cliVersion ?? "")) return end;
  const parent = byThread.get(copiedFrom);
  const common = parent ? commonLines(rollout.prints, parent.rollout.prints) : 0;
  return Math.min(end, common > 1 ? common + 2 : firstPause(rollout.times, end));
}

/** `codex migrate-rollouts` removes the header of the other thread, and 0.34 wrote none. */
function ownLineWithoutHeader(rollout: Rollout, meta: Meta): number {
  const { entries, hasTurns } = rollout;
  const version = meta.cliVersion ?? "";
  if (WITHOUT_TURN_IDS.test(version)) {
    if (hasTurns && entries.some(isNumberedTurn)) return afterManyPrompts(entries);
    return WITHOUT_HEADER.test(version) ? firstAsked(entries) : 0;
  }
  // Forks with a base have no copy.
  const isFork = meta.forkedFrom !== undefined && meta.base === undefined;
  return isFork && hasTurns ? ownTurnOf(rollout, meta) : 0;
}

/** The migration gives turns without an id a number: `rollout-5`. */
function isNumberedTurn(entry: Entry): boolean {
  return entry.kind === "turn-start" && /^rollout-\d+$/.test(entry.turnId ?? "");
}

/** Returns the line of the first pause if several prompts precede it: they were copied at once. */
function afterManyPrompts(entries: readonly Entry[]): number {
  let before = Number.POSITIVE_INFINITY;
  let prompts = 0;
  for (const { kind, at, place } of entries) {
    if (kind === "meta" || at === undefined) continue;
    const time = instantOf(at);
    if (time - before > PAUSE_MS) return prompts > 1 ? place.line : 0;
    if (kind === "prompt") prompts += 1;
    before = time;
  }
  return 0;
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
    return entry.kind === "turn-start" && idTime(entry.turnId ?? "") >= begun;
  });
  return own?.place.line ?? lines + 1;
}

function lineOfOrdinal(entries: readonly Entry[], from: number): number {
  return entries.find(({ ordinal = -1 }) => ordinal >= from)?.place.line ?? Number.MAX_SAFE_INTEGER;
}

/** Counts the lines, from the second one on, that equal those of the other file. */
function commonLines(fork: readonly number[], parent: readonly number[]): number {
  let count = 0;
  for (;;) {
    const print = fork[count + 2];
    if (print === undefined || print !== parent[count + 1]) return count;
    count += 1;
  }
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
