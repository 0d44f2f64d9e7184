import type { Style } from "./style.ts";
import { fit, pad, widthOf } from "./width.ts";

export interface Panel {
  title: string;
  /** Plain text; `paint` colours a padded line. */
  lines: readonly string[];
  paint?: (line: string, at: number) => string;
}

const GAP = 1;
const LEAST_WIDTH = 36;

/** Panels side by side, as many as fit, each row as high as its highest. */
export function panelLines(
  panels: readonly Panel[],
  { columns, style }: { columns: number; style: Style },
): string[] {
  const across = Math.max(1, Math.min(3, Math.floor((columns + GAP) / (LEAST_WIDTH + GAP))));
  const width = Math.floor((columns - GAP * (across - 1)) / across);
  const lines: string[] = [];
  for (let at = 0; at < panels.length; at += across) {
    const row = panels.slice(at, at + across);
    const height = Math.max(...row.map((panel) => panel.lines.length));
    const drawn = row.map((panel) => draw(panel, { width, height, style }));
    for (let line = 0; line < height + 2; line += 1) {
      lines.push(drawn.map((item) => item[line] ?? "").join(" ".repeat(GAP)));
    }
  }
  return lines;
}

function draw(
  { title, lines, paint = (line) => line }: Panel,
  { width, height, style }: { width: number; height: number; style: Style },
): string[] {
  const inner = width - 4;
  const name = fit(title, inner);
  const rule = "─".repeat(Math.max(0, width - 4 - widthOf(name)));
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

/** Two ends of a line: the left one gives way. */
export function ends(left: string, right: string, width: number): string {
  const room = Math.max(0, width - widthOf(right) - 1);
  return `${pad(fit(left, room), room)} ${right}`;
}

export function innerWidth(columns: number): number {
  const across = Math.max(1, Math.min(3, Math.floor((columns + GAP) / (LEAST_WIDTH + GAP))));
  return Math.floor((columns - GAP * (across - 1)) / across) - 4;
}
