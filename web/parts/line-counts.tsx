import { exact } from "../figures.ts";

export interface LineCountsProps {
  /** Absent or `null` if not recorded. */
  addedLines: number | null | undefined;
  removedLines: number | null | undefined;
}

/** `+24 −3`; hidden if unknown. */
export function LineCounts({ addedLines, removedLines }: LineCountsProps) {
  if (addedLines == null && removedLines == null) return null;
  return (
    <span class="line-counts number">
      <span class="plus">+{exact(addedLines ?? 0)}</span>{" "}
      <span class="minus">−{exact(removedLines ?? 0)}</span>
    </span>
  );
}
