import type { UsageReport, UsageRow } from "../../queries/usage/usage.ts";
import { exact, shortNumber } from "./figures.ts";
import { partly } from "./money.ts";
import { homePath } from "./path.ts";
import { safeLine } from "./safe.ts";
import { shortId } from "./session-list.ts";
import { Style } from "./style.ts";
import type { Column } from "./table.ts";
import { tableLines } from "./table.ts";
import { usageFooter } from "./usage-footer.ts";
import type { MoneyView } from "./view.ts";
import { widthOf, wrap } from "./width.ts";

export interface UsageView extends MoneyView {
  shape: "full" | "compact";
  /** The period in words, if it was not given as dates. */
  period?: string;
}

/** A row of the table as displayed. */
interface Line {
  row: Omit<UsageRow, "key" | "label" | "rows">;
  key: string;
  title: string;
  cost: string;
  depth: 0 | 1;
  isTotal: boolean;
}

export function usageLines(report: UsageReport, view: UsageView): string[] {
  const headLines = wrap(headline(report, view), view.columns);
  const head = [...headLines.map((line) => view.style.bold(line)), ""];
  if (report.totals.requests === 0) {
    return [...head, "No requests in this period.", "", ...usageFooter(report, view)];
  }
  return [...head, ...table(linesOf(report, view), report, view), "", ...usageFooter(report, view)];
}

function headline({ by, period, prices }: UsageReport, view: UsageView): string {
  const { since, until, timezone } = period;
  const from = since === null ? "" : `since ${day(since, timezone)}`;
  const to = until === null ? "" : `until ${day(lastInstant(until), timezone)}`;
  const named = view.period ?? ([from, to].filter((part) => part !== "").join(" ") || "all time");
  const priced = `prices ${prices.date} (${prices.ownFile === null ? "bundled" : "yours first"})`;
  return [`Usage by ${by.replace(",", " and ")}`, named, timezone, priced].join(" · ");
}

function day(at: string, timezone: string): string {
  return new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeZone: timezone }).format(
    new Date(at),
  );
}

function lastInstant(at: string): string {
  return new Date(Date.parse(at) - 1).toISOString();
}

function linesOf(report: UsageReport, { money }: UsageView): Line[] {
  const { rows, others, totals } = report;
  const [first, second] = report.by.split(",");
  const top = others ? [...rows, others] : rows;
  const sum = money.coins(totals.costMicroUsd);
  const costs = money.column(top.map(costOf), sum);
  const lines = top.flatMap((row, at): Line[] => {
    const cost = costs[at] ?? null;
    const within = row.rows ?? [];
    const shares = cost && money.column(within.map(costOf), cost);
    const below = within.map((child, index) => {
      const share = money.shown(shares?.[index] ?? null);
      return lineOf(child, { grouping: second, cost: share, depth: 1 });
    });
    return [lineOf(row, { grouping: first, cost: money.shown(cost), depth: 0 }), ...below];
  });
  const cost = partly(totals.costMicroUsd === null ? "unpriced" : money.shown(sum), totals);
  return [...lines, { row: totals, key: "total", title: "", cost, depth: 0, isTotal: true }];
}

function costOf({ costMicroUsd }: UsageRow): number | null {
  return costMicroUsd;
}

function lineOf(
  row: UsageRow,
  details: { grouping: string | undefined; cost: string; depth: 0 | 1 },
): Line {
  const { key, title } = namesOf(row, details.grouping);
  const indent = details.depth === 0 ? "" : "  ";
  const cost = partly(details.cost, row);
  return { row, key: indent + key, title, cost, depth: details.depth, isTotal: false };
}

function namesOf(
  { key, label }: UsageRow,
  grouping: string | undefined,
): { key: string; title: string } {
  if (key === "others") return { key: safeLine(label ?? key), title: "" };
  if (grouping === "agent") return { key: safeLine(label ?? key), title: "" };
  if (grouping === "session") return { key: shortId(key), title: safeLine(label ?? "") };
  if (grouping === "project") return { key: safeLine(label ?? key), title: homePath(key) };
  return { key: grouping === "root" ? homePath(key) : safeLine(key), title: "" };
}

/** On narrower terminals, only the compact table is readable. */
const NARROW = 64;

type Figure = (count: number) => string;

/** Unknown is a dash, not zero. */
function figureOf(count: number | null, figure: Figure): string {
  return count === null ? "–" : figure(count);
}

/** Uses the widest number format that fits: grouped, plain, or shortened. */
function table(lines: readonly Line[], report: UsageReport, view: UsageView): string[] {
  const { columns, style } = view;
  let shown: string[] = [];
  for (const figure of [exact, String, shortNumber] as const) {
    shown = tableLines(lines, columnsOf(lines, report, { view, figure }), {
      columns,
      style: plain,
    });
    if (shown.every((line) => widthOf(line) <= columns)) break;
  }
  const [head = "", ...body] = shown;
  const rule = "─".repeat(Math.max(...shown.map(widthOf)));
  const painted = body.map((line, at) => paint(line, lines[at], style));
  return [style.dim(head), ...painted.slice(0, -1), style.dim(rule), ...painted.slice(-1)];
}

/** Widths are measured before colours are added. */
const plain = new Style("plain");

function paint(text: string, line: Line | undefined, style: Style): string {
  if (line?.isTotal === true) return style.bold(text);
  return line?.depth === 1 ? style.dim(text) : text;
}

function columnsOf(
  lines: readonly Line[],
  { by }: UsageReport,
  { view, figure }: { view: UsageView; figure: Figure },
): Column<Line>[] {
  const [first = "", second] = by.split(",");
  const heading = second === undefined ? first : `${first} / ${second}`;
  const number = (
    title: string,
    of: (row: Line["row"]) => number | null,
    rank?: number,
  ): Column<Line> => {
    const text = ({ row }: Line): string => figureOf(of(row), figure);
    return { title, text, align: "right", ...(rank === undefined ? {} : { rank }) };
  };
  // Shorten numbers before names are cut beyond recognition.
  const least = figure === shortNumber ? 10 : 22;
  const hasWrites = lines.some(({ row }) => (row.tokens.cacheWrite ?? 0) > 0);
  const hasTitles = lines.some(({ title }) => title !== "");
  const key: Column<Line> = { title: heading, text: (line) => line.key, least, most: 44 };
  const title: Column<Line> = {
    title: first === "project" ? "path" : "title",
    text: (line) => line.title,
    least: 16,
    most: 48,
    rank: 4,
  };
  const cost: Column<Line> = { title: "cost", text: (line) => line.cost, align: "right" };
  const requests = number("requests", (row) => row.requests, view.shape === "full" ? 2 : undefined);
  const total = number("total", ({ tokens }) => tokens.total);
  const names = hasTitles ? [key, title] : [key];
  if (view.shape === "compact" || view.columns < NARROW) return [...names, requests, total, cost];
  return [
    ...names,
    number("sessions", (row) => row.sessions, 3),
    requests,
    number("new input", ({ tokens }) => tokens.fresh),
    number("cached", ({ tokens }) => tokens.cached),
    ...(hasWrites ? [number("cache write", ({ tokens }) => tokens.cacheWrite)] : []),
    number("output", ({ tokens }) => tokens.output),
    number("thoughts", ({ tokens }) => tokens.thoughts),
    total,
    cost,
  ];
}
