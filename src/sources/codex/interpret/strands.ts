import { originalPath } from "../../../core/files/session-file.ts";
import { compareTexts } from "../../../core/lists.ts";
import { rolloutName, stemOf } from "../names.ts";
import type { Rollout } from "../content.ts";
import type { DecodedFile } from "../../source.ts";
import { ownLineOf } from "./copies.ts";

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
