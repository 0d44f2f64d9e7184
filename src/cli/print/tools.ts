import type { CallCounts, ToolsReport } from "../../queries/tools.ts";
import type { TouchedFileRow } from "../../queries/tools.ts";
import { coverageLines } from "./coverage.ts";
import { counted, exact } from "./figures.ts";
import { homePath } from "./path.ts";
import { safeLine } from "./safe.ts";
import type { Style } from "./style.ts";
import type { Column } from "./table.ts";
import { tableLines } from "./table.ts";
import type { View } from "./view.ts";

export const TOOL_SECTIONS = ["tool", "label", "category", "mcp", "shell", "files"] as const;
export type ToolSection = (typeof TOOL_SECTIONS)[number];

const LISTED: Record<ToolSection, string> = {
  tool: "tools",
  label: "labels",
  category: "categories",
  mcp: "calls of MCP servers",
  shell: "shell commands",
  files: "files",
};

export interface ToolsView extends View {
  sections: readonly ToolSection[];
  /** Rows per section. */
  limit: number;
}

export function toolsLines(report: ToolsReport, view: ToolsView): string[] {
  const { totals, coverage } = report;
  if (totals.calls === 0) {
    return ["No tool calls in this period.", "", ...coverageLines(coverage, view)];
  }
  const parts = view.sections.flatMap((section) => {
    const lines = sectionLines(section, report, view);
    return lines.length === 0 ? [] : [lines];
  });
  const failed = totals.error + totals.cancelled;
  const sum = `${counted(totals.calls, "call")}, ${exact(failed)} failed or cancelled`;
  // Only a section that was asked for alone can be missing.
  const none = view.sections.map((section) => [`No ${LISTED[section]} in this period.`]);
  return [
    ...(parts.length === 0 ? none : parts).flatMap((lines) => [...lines, ""]),
    view.style.dim(sum),
    ...coverageLines(coverage, view),
  ];
}

function sectionLines(section: ToolSection, report: ToolsReport, view: ToolsView): string[] {
  switch (section) {
    case "tool":
      return limitedTable(report.tools, toolColumns(view.style), view);
    case "label":
      return limitedTable(report.labels, namedColumns("label", view.style), view);
    case "category":
      return limitedTable(report.categories, namedColumns("category", view.style), view);
    case "mcp":
      return limitedTable(report.mcp, mcpColumns(view.style), view);
    case "shell":
      return limitedTable(report.shell, SHELL_COLUMNS, view);
    case "files":
      return limitedTable(report.files, FILE_COLUMNS, view);
    default:
      throw new RangeError(section satisfies never);
  }
}

function limitedTable<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  { columns: room, style, limit }: ToolsView,
): string[] {
  if (rows.length === 0) return [];
  const lines = tableLines(rows.slice(0, limit), columns, { columns: room, style });
  const more = rows.length - limit;
  return more > 0 ? [...lines, style.dim(`… ${exact(more)} more: --limit shows them`)] : lines;
}

function countColumns<Row extends CallCounts>(style: Style): Column<Row>[] {
  return [
    number("calls", ({ calls }) => calls),
    { ...number<Row>("ok", ({ success }) => success), rank: 0 },
    { ...number<Row>("failed", ({ error }) => error), paint: warn((row) => row.error, style) },
    {
      ...number<Row>("cancelled", ({ cancelled }) => cancelled),
      rank: 1,
      paint: warn((row) => row.cancelled, style),
    },
    { title: "average", text: averageOf, align: "right", rank: 2 },
    { title: "longest", text: longestOf, align: "right", rank: 3 },
  ];
}

function number<Row>(title: string, of: (row: Row) => number): Column<Row> {
  return { title, text: (row) => exact(of(row)), align: "right" };
}

function warn<Row>(of: (row: Row) => number, style: Style): (text: string, row: Row) => string {
  return (text, row) => (of(row) > 0 ? style.yellow(text) : style.dim(text));
}

function averageOf({ time }: CallCounts): string {
  return time === null ? "–" : seconds(time.totalMs / time.calls);
}

function longestOf({ time }: CallCounts): string {
  return time === null ? "–" : seconds(time.longestMs);
}

/** `0.4s`, `12s`, `3m 20s`. */
function seconds(ms: number): string {
  const all = ms / 1000;
  if (all < 9.95) return `${all.toFixed(1)}s`;
  const whole = Math.round(all);
  return whole < 60 ? `${whole}s` : `${Math.floor(whole / 60)}m ${whole % 60}s`;
}

type ToolRow = ToolsReport["tools"][number];

function toolColumns(style: Style): Column<ToolRow>[] {
  return [
    { title: "tool", text: ({ name }) => safeLine(name), least: 16, most: 40 },
    { title: "label", text: ({ label }) => safeLine(label), least: 8, most: 20, rank: 4 },
    { title: "category", text: ({ category }) => category, rank: 5 },
    { title: "canonical", text: ({ canonical }) => safeLine(canonical), most: 20, rank: 6 },
    ...countColumns<ToolRow>(style),
  ];
}

function namedColumns(title: string, style: Style): Column<ToolsReport["labels"][number]>[] {
  return [
    { title, text: ({ name }) => safeLine(name), least: 10, most: 40 },
    ...countColumns(style),
  ];
}

function mcpColumns(style: Style): Column<ToolsReport["mcp"][number]>[] {
  return [
    { title: "MCP server", text: ({ server }) => safeLine(server), least: 10, most: 30 },
    { title: "tool", text: ({ tool }) => safeLine(tool), least: 10, most: 36 },
    ...countColumns(style),
  ];
}

const SHELL_COLUMNS: readonly Column<ToolsReport["shell"][number]>[] = [
  { title: "shell command", text: ({ command }) => safeLine(command), least: 16, most: 40 },
  number("times", ({ calls }) => calls),
];

const FILE_COLUMNS: readonly Column<TouchedFileRow>[] = [
  { title: "file", text: shortPath, least: 24 },
  { ...number("read", ({ reads }) => reads), rank: 2 },
  { ...number("written", ({ writes }) => writes), rank: 3 },
  { ...number("edited", ({ edits }) => edits), rank: 1 },
  { title: "added", text: ({ addedLines }) => signed("+", addedLines), align: "right" },
  { title: "removed", text: ({ removedLines }) => signed("-", removedLines), align: "right" },
];

/** The path from the project's folder on; the rest is the same for all its files. */
function shortPath({ path, project }: TouchedFileRow): string {
  const at = Math.max(path.indexOf(`/${project}/`), path.indexOf(`\\${project}\\`));
  return at === -1 ? homePath(path) : safeLine(path.slice(at + 1));
}

function signed(sign: string, lines: number | null): string {
  return lines === null ? "–" : `${sign}${exact(lines)}`;
}
