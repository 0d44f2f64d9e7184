import { barOf } from "../cli/print/panel.ts";
import type { Style } from "../cli/print/style.ts";
import { fit, pad, widthOf } from "../cli/print/width.ts";

/** A part of a line: safe text and its style. */
export type Part = readonly [text: string, paint?: (text: string) => string];

/** Joins parts to exactly `width` columns: cut at the end or padded. */
export function rowOf(width: number, parts: readonly Part[]): string {
  let left = width;
  let row = "";
  for (const [text, paint] of parts) {
    const shown = fit(text, left);
    left -= widthOf(shown);
    row += paint && shown !== "" ? paint(shown) : shown;
    if (left <= 0) break;
  }
  return row + " ".repeat(Math.max(0, left));
}

/** Aligns parts to the two ends of a line; the left ones are cut if needed. */
export function endsOf(width: number, left: readonly Part[], right: readonly Part[]): string {
  const taken = right.reduce((sum, [text]) => sum + widthOf(text), 0);
  if (taken >= width) return rowOf(width, right);
  return rowOf(width - taken, left) + rowOf(taken, right);
}

/** The selected line. */
export function selected(style: Style, width: number, parts: readonly Part[]): string {
  const plain = rowOf(
    width,
    parts.map(([text]): Part => [text]),
  );
  return style.inverse(plain);
}

/** Index of the first visible line, so that the selected one is in view. */
export function firstShown(at: number, count: number, rows: number): number {
  const middle = at - Math.floor(rows / 2);
  return Math.max(0, Math.min(middle, count - rows));
}

const STEPS = " ▁▂▃▄▅▆▇█";

/** A bar chart as lines from the top; each value is one bar of `columnWidth`. */
export function chartOf(
  values: readonly number[],
  { rows, columnWidth }: { rows: number; columnWidth: number },
): string[] {
  const most = Math.max(...values, 0);
  const steps = values.map((value) => {
    return value <= 0 || most === 0 ? 0 : Math.max(1, Math.round((value / most) * rows * 8));
  });
  return Array.from({ length: rows }, (_, at) => {
    const below = (rows - 1 - at) * 8;
    return steps
      .map((step) => {
        const block = STEPS[Math.max(0, Math.min(8, step - below))] ?? " ";
        const isBase = at === rows - 1 && step === 0;
        return (isBase ? "·" : block).repeat(Math.max(1, columnWidth - 1)).padEnd(columnWidth);
      })
      .join("");
  });
}

export { barOf, fit, pad, widthOf };
