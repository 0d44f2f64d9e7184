import { counted, exact, shortNumber } from "../cli/print/figures.ts";
import { safeLine } from "../cli/print/safe.ts";
import type { InsightsAnswer } from "../queries/insights/insights.ts";
import type { NamedCounts } from "../queries/tools.ts";
import type { UsageRow } from "../queries/usage/usage.ts";
import type { Part } from "./draw.ts";
import { barOf, fit, pad, widthOf } from "./draw.ts";
import type { HomeContext } from "./screen.ts";

/** One line of a panel with bars. */
export interface BarRow {
  key: string;
  name: string;
  amount: string;
  /** Additional text, shown if there is room. */
  detail: string;
  /** Relative length of the bar. */
  weight: number;
  paint: (text: string) => string;
}

type View = Pick<HomeContext, "style" | "money">;

const COLOURS = ["cyan", "magenta", "green", "yellow", "blue", "red"] as const;

/** Rows by cost, or by tokens if nothing has a price. */
export function usageRows(
  rows: readonly UsageRow[],
  { style, money }: View,
  paintOf: (row: UsageRow, at: number) => BarRow["paint"] = (_, at) => (text) =>
    style[COLOURS[at % COLOURS.length] ?? "cyan"](text),
): BarRow[] {
  const hasPrices = rows.some(({ costMicroUsd }) => (costMicroUsd ?? 0) > 0);
  const largest = rows.reduce((most, row) => Math.max(most, row.costMicroUsd ?? 0), 0);
  const fine = money.coins(largest);
  return rows.map((row, at) => ({
    key: row.key,
    name: safeLine(row.label ?? row.key),
    amount: amountOf(row, { money, fine }),
    detail: counted(row.sessions, "session"),
    weight: hasPrices ? (row.costMicroUsd ?? 0) : row.tokens.total,
    paint: paintOf(row, at),
  }));
}

function amountOf(
  { costMicroUsd, unpricedRequests, tokens }: UsageRow,
  { money, fine }: Pick<View, "money"> & { fine: Parameters<View["money"]["text"]>[1] },
): string {
  if (costMicroUsd === null) return `${shortNumber(tokens.total)} tok`;
  return `${money.text(costMicroUsd, fine)}${unpricedRequests > 0 ? "+" : ""}`;
}

export function toolRows(tools: readonly NamedCounts[], { style }: View): BarRow[] {
  return tools.map(({ name, calls, error }) => ({
    key: name,
    name: safeLine(name),
    amount: counted(calls, "call"),
    detail: error > 0 ? `${exact(error)} failed` : "",
    weight: calls,
    paint: (text) => (error > 0 ? style.yellow(text) : style.cyan(text)),
  }));
}

/** Findings, most expensive first. */
export function insightRows(answer: InsightsAnswer | undefined, { style }: View): BarRow[] {
  const found = (answer?.findings ?? []).filter(({ count }) => count > 0);
  return found.map(({ id, title, count, share }) => ({
    key: id,
    name: safeLine(title),
    amount: `${exact(count)}×`,
    detail: share === null ? "" : `${(100 * share).toFixed(0)} % of cost`,
    weight: share ?? 0,
    paint: (text) => style.magenta(text),
  }));
}

const MOST_BAR = 24;

/** `bakery-api  $18.20  31 sessions  ████████▌`; if space is short, the bar is dropped first. */
export function barParts(rows: readonly BarRow[], width: number): (row: BarRow) => Part[] {
  const widest = (of: (row: BarRow) => string): number => {
    return Math.max(0, ...rows.map((row) => widthOf(of(row))));
  };
  const most = Math.max(...rows.map(({ weight }) => weight), 0);
  const amount = widest((row) => row.amount);
  const detail = widest((row) => row.detail);
  const names = widest((row) => row.name);
  const hasDetail = detail > 0 && width >= Math.min(names, 20) + amount + detail + 14;
  const taken = amount + 1 + (hasDetail ? detail + 2 : 0);
  const name = Math.max(Math.min(names, width - taken - 6), Math.min(names, 10));
  const bar = Math.min(MOST_BAR, Math.max(0, width - taken - name - 1));
  return (row) => [
    [pad(fit(row.name, name), name)],
    [` ${pad(row.amount, amount, "right")}`],
    ...(hasDetail ? [[`  ${pad(row.detail, detail, "right")}`] as const] : []),
    [bar < 3 || most === 0 ? "" : ` ${barOf(row.weight / most, bar)}`, row.paint],
  ];
}
