import { exact } from "../figures.ts";

export interface LineCountsProps {
  /** Absent or `null` if not recorded. */
  addedLines: number | null | undefined;
  removedLines: number | null | undefined;
}

/** `+24 −3`; a number that is unknown is left out. */
export function LineCounts({ addedLines, removedLines }: LineCountsProps) {
  if (addedLines == null && removedLines == null) return null;
  return (
    <span class="line-counts number">
      {addedLines != null && <span class="plus">+{exact(addedLines)}</span>}{" "}
      {removedLines != null && <span class="minus">−{exact(removedLines)}</span>}
    </span>
  );
}
