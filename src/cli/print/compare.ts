import type { BudgetAnswer } from "../../queries/prices/budget.ts";
import type { Comparison } from "../../queries/compare.ts";
import { exact, shortNumber } from "./figures.ts";
import { safeLine } from "./safe.ts";
import { shortId } from "./session-list.ts";
import type { Column } from "./table.ts";
import { tableLines } from "./table.ts";
import { wrap } from "./width.ts";
import type { MoneyView } from "./view.ts";

interface Row {
  name: string;
  values: readonly [string, string, string];
}

export function comparisonLines({ sides, delta }: Comparison, view: MoneyView): string[] {
  const { money, style, columns } = view;
  const [first, second] = sides;
  const cost = (micro: number | null): string => (micro === null ? "unpriced" : money.text(micro));
  const count = (name: string, of: (side: (typeof sides)[0]) => number, change: number): Row => {
    return { name, values: [exact(of(first)), exact(of(second)), signed(change, exact)] };
  };
  const rows: Row[] = [
    count("sessions", ({ totals }) => totals.sessions, delta.sessions),
    count("requests", ({ totals }) => totals.requests, delta.requests),
    count("tokens", ({ totals }) => totals.tokens.total, delta.tokens),
    count(
      "output",
      ({ totals }) => totals.tokens.output,
      second.totals.tokens.output - first.totals.tokens.output,
    ),
    {
      name: "cost",
      values: [
        cost(first.totals.costMicroUsd),
        cost(second.totals.costMicroUsd),
        delta.costMicroUsd === null ? "–" : signed(delta.costMicroUsd, cost),
      ],
    },
  ];
  const table: Column<Row>[] = [
    { title: "", text: ({ name }) => name },
    { title: nameOf(first.name), text: ({ values }) => values[0], align: "right" },
    { title: nameOf(second.name), text: ({ values }) => values[1], align: "right" },
    { title: "difference", text: ({ values }) => values[2], align: "right" },
  ];
  const models = sides.map(({ name, models: used }) => {
    const named = used.map(({ key, tokens }) => `${safeLine(key)} (${shortNumber(tokens.total)})`);
    return style.dim(`${nameOf(name)}: ${named.join(", ") || "nothing"}`);
  });
  return [...tableLines(rows, table, { columns, style }), "", ...models];
}

function signed(value: number, text: (value: number) => string): string {
  if (value === 0) return "–";
  return value > 0 ? `+${text(value)}` : `-${text(-value)}`;
}

/** A sentence about the month's budget. */
export function budgetLines(budget: BudgetAnswer, { columns, style, money }: MoneyView): string[] {
  const { month, budgetMicroUsd, spentMicroUsd, spentShare, forecastMicroUsd, state } = budget;
  if (spentMicroUsd === null) {
    return wrap(`Budget ${month}: no request of this month has a known price.`, columns);
  }
  const part = `${((spentShare ?? 0) * 100).toFixed(0)} %`;
  const spent = `${money.text(spentMicroUsd)} of ${money.text(budgetMicroUsd)} (${part})`;
  const days = `after ${budget.daysPassed} of ${budget.daysOfMonth} days`;
  const ahead =
    forecastMicroUsd === null
      ? "too early for a forecast"
      : `at this pace ${money.text(forecastMicroUsd)} by its end`;
  const unpriced =
    budget.unpricedRequests > 0 ? `; ${exact(budget.unpricedRequests)} requests have no price` : "";
  const text = `Budget ${month}: ${spent} ${days}, ${ahead}${unpriced}`;
  return wrap(text, columns).map((line) => {
    if (state === "over") return style.red(line);
    return state === "forecast-over" ? style.yellow(line) : line;
  });
}

/** Sessions by their short id, as in lists; anything else by name. */
function nameOf(name: string): string {
  return /^[0-9a-f]{8}-/.test(name) ? shortId(name) : safeLine(name).slice(0, 24);
}
