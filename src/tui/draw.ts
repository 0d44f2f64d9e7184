import { barOf } from "../cli/print/panel.ts";
import type { Style } from "../cli/print/style.ts";
import { fit, pad, widthOf } from "../cli/print/width.ts";

/** A piece of a line: safe text, and how it is coloured. */
export type Part = readonly [text: string, paint?: (text: string) => string];

/** Pieces side by side in exactly so many columns: cut at the end, or filled up. */
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

/** Two ends of a line; the left one gives way. */
export function endsOf(width: number, left: readonly Part[], right: readonly Part[]): string {
  const taken = right.reduce((sum, [text]) => sum + widthOf(text), 0);
  if (taken >= width) return rowOf(width, right);
  return rowOf(width - taken, left) + rowOf(taken, right);
}

/** The line that the keys act on. */
export function selected(style: Style, width: number, parts: readonly Part[]): string {
  const plain = rowOf(
    width,
    parts.map(([text]): Part => [text]),
  );
  return style.inverse(plain);
}

/** The first of `count` lines that is shown, so that the chosen one is among `rows`. */
export function firstShown(at: number, count: number, rows: number): number {
  const middle = at - Math.floor(rows / 2);
  return Math.max(0, Math.min(middle, count - rows));
}

const STEPS = " ▁▂▃▄▅▆▇█";

/** Columns of a chart, as lines from the top; each value is one column of `columnWidth`. */
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
