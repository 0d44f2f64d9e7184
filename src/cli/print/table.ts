import { fit, pad, widthOf } from "./width.ts";
import type { View } from "./view.ts";

/** A table column: how it is rendered, and how it adapts to little space. */
export interface Column<Row> {
  title: string;
  /** Changes if space is short: a shorter title or text, or `absent`. */
  brief?: "absent" | Partial<Pick<Column<Row>, "title" | "text" | "least">>;
  /** Safe text (see safe.ts). */
  text: (row: Row) => string;
  align?: "left" | "right";
  /** Minimum width if the text may be cut; without it, the text is never cut. */
  least?: number;
  /** Maximum width. */
  most?: number;
  /** If space is short, columns with a rank are dropped, highest rank first. */
  rank?: number;
  /** Colours the padded text. */
  paint?: (text: string, row: Row) => string;
}

interface Measured<Row> extends Column<Row> {
  width: number;
  /** The texts of all rows, computed once for measuring and printing. */
  cells: readonly string[];
}

const GAP = 2;

/** A table with a header and one line per row, at most as wide as `columns`. */
export function tableLines<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  { columns: room, style }: View,
): string[] {
  const shown = arrange(columns, rows, room);
  const head = shown.map(({ title, width, align }) => pad(fit(title, width), width, align));
  const lines = rows.map((row, line) =>
    joined(
      shown.map((column, at) => {
        const { cells, width, align, paint } = column;
        const isLast = at === shown.length - 1 && align !== "right";
        const cell = fit(cells[line] ?? "", width);
        const padded = isLast ? cell : pad(cell, width, align);
        return paint ? paint(padded, row) : padded;
      }),
    ),
  );
  return [style.dim(joined(head).trimEnd()), ...lines];
}

function joined(cells: readonly string[]): string {
  return cells.join(" ".repeat(GAP)).trimEnd();
}

function measure<Row>(column: Column<Row>, rows: readonly Row[], room: number): Measured<Row> {
  const cells = rows.map((row) => column.text(row));
  const natural = cells.reduce(
    (most, cell) => Math.max(most, widthOf(cell)),
    widthOf(column.title),
  );
  const most = room === Number.POSITIVE_INFINITY ? natural : (column.most ?? natural);
  return { ...column, cells, width: Math.min(natural, most) };
}

/** Uses the brief forms, then drops columns until the rest fit, then cuts. */
function arrange<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  room: number,
): Measured<Row>[] {
  let shown = columns.map((column) => measure(column, rows, room));
  if (sum(shown, leastOf) > room) shown = shown.flatMap((column) => shorten(column, rows, room));
  while (sum(shown, leastOf) > room) {
    const last = shown.filter(({ rank }) => rank !== undefined).toSorted(byRank)[0];
    if (!last) break;
    shown = shown.filter((column) => column !== last);
  }
  return cut(shown, sum(shown, ({ width }) => width) - room);
}

function shorten<Row>(column: Measured<Row>, rows: readonly Row[], room: number): Measured<Row>[] {
  const { brief } = column;
  if (brief === undefined) return [column];
  return brief === "absent" ? [] : [measure({ ...column, ...brief }, rows, room)];
}

function cut<Row>(columns: readonly Measured<Row>[], excess: number): Measured<Row>[] {
  const result = columns.map((column) => ({ ...column }));
  for (let left = excess; left > 0; left -= 1) {
    // Shrink the widest column first, so that short columns stay complete.
    const spare = result.filter((column) => column.width > leastOf(column));
    const widest = spare.toSorted((a, b) => b.width - a.width)[0];
    if (!widest) break;
    widest.width -= 1;
  }
  return result;
}

function leastOf<Row>({ least, width }: Measured<Row>): number {
  return Math.min(least ?? width, width);
}

function byRank<Row>(a: Column<Row>, b: Column<Row>): number {
  return (b.rank ?? 0) - (a.rank ?? 0);
}

function sum<Row>(
  columns: readonly Measured<Row>[],
  of: (column: Measured<Row>) => number,
): number {
  const gaps = GAP * Math.max(columns.length - 1, 0);
  return columns.reduce((total, column) => total + of(column), gaps);
}
