import type { Style } from "./style.ts";
import { fit, pad, widthOf } from "./width.ts";
import type { View } from "./view.ts";

export interface Panel {
  title: string;
  /** Plain text lines for a width; `paint` colours a padded line. */
  lines: (width: number) => readonly string[];
  paint?: (line: string, at: number) => string;
}

const GAP = 1;
const LEAST_WIDTH = 36;
const FRAME = 4;

/** Arranges panels in rows of equal width; each row is as high as its highest panel. */
export function panelLines(panels: readonly Panel[], { columns, style }: View): string[] {
  const most = Math.max(1, Math.floor((columns + GAP) / (LEAST_WIDTH + GAP)));
  // Balance the rows: seven panels become four and three, not five and two.
  const across = Math.ceil(panels.length / Math.ceil(panels.length / most));
  const lines: string[] = [];
  for (let at = 0; at < panels.length; at += across) {
    lines.push(...rowLines(panels.slice(at, at + across), { columns, style }));
  }
  return lines;
}

function rowLines(row: readonly Panel[], { columns, style }: View): string[] {
  const room = columns - GAP * (row.length - 1);
  const width = Math.floor(room / row.length);
  const made = row.map((panel, at) => {
    const own = at === row.length - 1 ? room - width * at : width;
    return { panel, width: own, lines: panel.lines(own - FRAME) };
  });
  const height = Math.max(...made.map(({ lines }) => lines.length));
  const drawn = made.map((item) => draw(item, { height, style }));
  return Array.from({ length: height + 2 }, (_, line) => {
    return drawn.map((item) => item[line] ?? "").join(" ".repeat(GAP));
  });
}

function draw(
  { panel, width, lines }: { panel: Panel; width: number; lines: readonly string[] },
  { height, style }: { height: number; style: Style },
): string[] {
  const { title, paint = (line: string) => line } = panel;
  const inner = width - FRAME;
  const name = fit(title, inner);
  const rule = "─".repeat(Math.max(0, inner - widthOf(name)));
  const edge = style.dim("│");
  const body = Array.from({ length: height }, (_, at) => {
    const text = pad(fit(lines[at] ?? "", inner), inner);
    return `${edge} ${at < lines.length ? paint(text, at) : text} ${edge}`;
  });
  return [
    `${style.dim("╭ ")}${style.bold(name)}${style.dim(` ${rule}╮`)}`,
    ...body,
    style.dim(`╰${"─".repeat(width - 2)}╯`),
  ];
}

/** Aligns two texts to the ends of a line; the left one is cut if needed. */
export function ends(left: string, right: string, width: number): string {
  const room = Math.max(0, width - widthOf(right) - 1);
  return `${pad(fit(left, room), room)} ${right}`;
}

const EIGHTHS = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

/** A bar with the length of its share; any share above zero is visible. */
export function barOf(part: number, width: number): string {
  const eighths = part <= 0 ? 0 : Math.max(1, Math.round(Math.min(part, 1) * width * 8));
  return "█".repeat(Math.floor(eighths / 8)) + (EIGHTHS[eighths % 8] ?? "");
}
