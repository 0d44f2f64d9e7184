import { exact } from "../figures.ts";

export interface LineCountsProps {
  /** Absent or `null` when the record does not tell. */
  addedLines: number | null | undefined;
  removedLines: number | null | undefined;
}

/** `+24 −3`; what is not known is not shown as nothing. */
export function LineCounts({ addedLines, removedLines }: LineCountsProps) {
  if (addedLines == null && removedLines == null) return null;
  return (
    <span class="line-counts number">
      <span class="plus">+{exact(addedLines ?? 0)}</span>{" "}
      <span class="minus">−{exact(removedLines ?? 0)}</span>
    </span>
  );
}
