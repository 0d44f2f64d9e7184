import { safeLine } from "../cli/print/safe.ts";
import type { Board, PanelName } from "./board.ts";
import { totalLines } from "./dashboard-totals.ts";
import type { Part } from "./draw.ts";
import { endsOf, firstShown, rowOf, selected } from "./draw.ts";
import { exact } from "../cli/print/figures.ts";
import { barParts } from "./ledger-panel.ts";
import { shortKey } from "./periods.ts";
import { sessionParts } from "./session-rows.ts";
import type { Size } from "./terminal.ts";
import { timeLines } from "./time-chart.ts";

const GAP = 3;
const LEAST_LIST = 5;
/** Minimum height for three rows of panels above the list. */
const TALL = 26;

/** The rows of panels; below 60 columns only the list of sessions is shown. */
function layoutOf({ columns, rows: height }: Size, focus: PanelName): PanelName[][] {
  const rows = rowsFor(columns, height);
  if (rows.some((row) => row.includes(focus))) return rows;
  // A focused panel that is not in the layout replaces the row above the list.
  if (rows.length === 1) return [[focus]];
  return rows.map((row, at) => (at === rows.length - 2 ? [focus] : row));
}

function rowsFor(columns: number, height: number): PanelName[][] {
  if (columns >= 200)
    return [
      ["days", "agents", "models", "tools"],
      ["projects", "insights", "sessions"],
    ];
  if (columns >= 100) {
    return [["days", "agents", "models"], ["projects", "tools", "insights"], ["sessions"]];
  }
  if (columns < 60) return [["sessions"]];
  // Two panels per row; on a low terminal the others are reached with Tab.
  const pairs: PanelName[][] = [
    ["days", "models"],
    ["projects", "agents"],
    ...(height >= TALL ? [["tools", "insights"] satisfies PanelName[]] : []),
  ];
  return [...pairs, ["sessions"]];
}

export function drawDashboard(board: Board, { columns, rows }: Size): string[] {
  const lines = totalLines(board, columns);
  const layout = layoutOf({ columns, rows }, board.focus);
  // One empty line between rows of panels.
  const heights = heightsOf(layout, board, rows - lines.length - layout.length + 1);
  for (const [at, row] of layout.entries()) {
    const height = heights[at] ?? 0;
    if (height < 2) continue;
    if (at > 0) lines.push("");
    const widths = widthsOf(row, columns - GAP * (row.length - 1));
    const drawn = row.map((panel, each) => {
      return panelOf(board, panel, { columns: widths[each] ?? 0, rows: height });
    });
    for (let line = 0; line < height; line += 1) {
      const cells = drawn.map((panel, each) => panel[line] ?? " ".repeat(widths[each] ?? 0));
      lines.push(cells.join(" ".repeat(GAP)));
    }
  }
  return lines;
}

/** Equal widths, except that the time chart and the session list are wider. */
function widthsOf(row: readonly PanelName[], room: number): number[] {
  const weights = row.map((panel) => (panel === "sessions" ? 2 : panel === "days" ? 1.2 : 1));
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  const widths = weights.map((weight) => Math.floor((room * weight) / all));
  const rest = room - widths.reduce((sum, width) => sum + width, 0);
  return widths.map((width, at) => (at === 0 ? width + rest : width));
}

/** The session list gets the space that the panels above leave, but at least a few lines. */
function heightsOf(layout: readonly PanelName[][], board: Board, room: number): number[] {
  const above = layout.slice(0, -1);
  const budget = Math.max(0, room - LEAST_LIST - 1);
  const wanted = above.map((row) => {
    const counts = row.map((panel) => (panel === "days" ? 5 : countOf(board, panel)));
    return 1 + Math.min(Math.max(3, ...counts), room > 40 ? 10 : 6);
  });
  const scale = Math.min(1, budget / Math.max(1, sumOf(wanted)));
  const heights = wanted.map((height) => Math.floor(height * scale));
  return [...heights, room - sumOf(heights)];
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}

function countOf(board: Board, panel: PanelName): number {
  if (panel === "sessions") return board.sessions.length;
  return panel === "days" ? board.timeKeys.length : board.rows(panel).length;
}

function panelOf(board: Board, panel: PanelName, { columns, rows }: Size): string[] {
  const body = { columns, rows: rows - 1 };
  const lines = panel === "days" ? timeLines(board, body) : listLines(board, panel, body);
  return [titleLine(board, panel, columns), ...lines];
}

const TITLES: Readonly<Record<PanelName, string>> = {
  sessions: "recent sessions",
  projects: "projects",
  models: "by model",
  agents: "by agent",
  tools: "by tool",
  insights: "insights",
  days: "by day",
};

function titleLine(board: Board, panel: PanelName, width: number): string {
  const { style } = board.home;
  const name = panel === "days" ? `by ${board.span.by}` : TITLES[panel];
  const right: Part[] = [[countText(board, panel), (text) => style.dim(text)]];
  // The brackets show the focus without colours.
  const left: Part =
    board.focus === panel
      ? [`[${name}]`, (text) => style.bold(style.cyan(text))]
      : [` ${name}`, (text) => style.bold(text)];
  return endsOf(width, [left], right);
}

/** The number of rows; for sessions, with what it counts. */
function countText(board: Board, panel: PanelName): string {
  const soFar = board.home.isGrowing && GROWING.has(panel) ? "so far " : "";
  if (panel === "sessions") {
    const total = board.recent.value?.total ?? 0;
    return total === 0 ? soFar : `${exact(total)} active ${soFar}`;
  }
  const count = panel === "days" ? 0 : countOf(board, panel);
  return count === 0 ? soFar : `${exact(count)} ${soFar}`;
}

/** Panels that only include kept sessions. */
const GROWING: ReadonlySet<PanelName> = new Set(["sessions", "projects", "tools"]);

function listLines(board: Board, panel: Exclude<PanelName, "days">, size: Size): string[] {
  const { columns, rows } = size;
  const { home } = board;
  const { style } = home;
  const at = board.chosen[panel];
  const first = firstShown(at, countOf(board, panel), rows);
  const shown = partsOf(board, panel, { width: columns - 2, first, rows });
  if (shown.length === 0) {
    return [rowOf(columns, [[`  ${emptyText(board, panel)}`, (part) => style.dim(part)]])];
  }
  return shown.map((parts, line) => {
    const isChosen = board.focus === panel && first + line === at;
    const marked: Part[] = [[isChosen ? "› " : "  "], ...parts];
    return isChosen ? selected(style, columns, marked) : rowOf(columns, marked);
  });
}

function partsOf(
  board: Board,
  panel: Exclude<PanelName, "days">,
  { width, first, rows }: { width: number; first: number; rows: number },
): Part[][] {
  if (panel !== "sessions") {
    const all = board.rows(panel);
    // Bars are scaled by the longest row, including rows out of view.
    return all.slice(first, first + rows).map(barParts(all, width));
  }
  const shown = board.sessions.slice(first, first + rows);
  const costs = board.costs.value ?? new Map<string, number | null>();
  return shown.map(sessionParts(shown, costs, { width, home: board.home }));
}

const NOTHING: Readonly<Record<Exclude<PanelName, "days">, string>> = {
  sessions: "no sessions",
  projects: "nothing spent",
  models: "nothing spent",
  agents: "nothing spent",
  tools: "no calls",
  insights: "no findings",
};

/** Why a panel is empty: still reading, an error, or nothing in the period. */
function emptyText(board: Board, panel: Exclude<PanelName, "days">): string {
  const { groups, recent, tools, insights } = board;
  const asked = { ...groups, sessions: recent, tools, insights }[panel];
  if (asked.error !== undefined) return safeLine(asked.error);
  // Sessions that are not kept yet may still appear.
  const isKnown = asked.value !== undefined && !(board.home.isGrowing && GROWING.has(panel));
  return isKnown ? `${NOTHING[panel]}${sinceText(board)}` : "reading …";
}

/** ` since Oct 18`; empty for all time. */
function sinceText({ span, home }: Board): string {
  const [first] = span.keys;
  if (first === undefined) return "";
  return home.scope.period === "today" ? " today" : ` since ${shortKey(first)}`;
}
