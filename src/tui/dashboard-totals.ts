import { counted, exact, shortNumber } from "../cli/print/figures.ts";
import { safeLine } from "../cli/print/safe.ts";
import type { Sums } from "../queries/usage/tally.ts";
import type { Board } from "./board.ts";
import type { Part } from "./draw.ts";
import { endsOf, rowOf, widthOf } from "./draw.ts";

/** The cost of the period compared with the one before, and the counts. */
export function totalLines(board: Board, columns: number): string[] {
  const { style } = board.home;
  const { value, error } = board.time;
  if (error !== undefined) {
    return ["", rowOf(columns, [[`  ${safeLine(error)}`, (text) => style.red(text)]]), ""];
  }
  if (!value) return ["", rowOf(columns, [["  reading …", (text) => style.dim(text)]]), ""];
  const left: Part[] = [
    [`  ${costText(board, value.totals)}`, (text) => style.bold(text)],
    ...comparison(board),
  ];
  const facts: Part = [`  ${factsOf(value.totals).join(" · ")}`, (text) => style.dim(text)];
  const taken = [...left, facts].reduce((sum, [text]) => sum + widthOf(text), 0);
  if (taken < columns) return ["", endsOf(columns, left, [facts, [" "]]), ""];
  const fitting = fittingFacts(factsOf(value.totals), columns);
  return [rowOf(columns, left), rowOf(columns, [[`  ${fitting}`, (text) => style.dim(text)]]), ""];
}

function costText({ home }: Board, totals: Sums): string {
  if (totals.requests === 0) {
    return home.scope.period === "all" ? "nothing spent" : "nothing spent · 6 shows all time";
  }
  if (totals.costMicroUsd === null) return "unpriced";
  const least = totals.isAtLeast ? "at least " : "";
  return `${least}${home.money.text(totals.costMicroUsd)}${totals.unpricedRequests > 0 ? "+" : ""}`;
}

function factsOf({ requests, sessions, tokens }: Sums): string[] {
  if (requests === 0) return [];
  const facts = [`${counted(requests, "reply", "replies")} in ${counted(sessions, "session")}`];
  if (tokens.cached !== null && tokens.input > 0) {
    facts.push(`${Math.round((100 * tokens.cached) / tokens.input)} % from cache`);
  }
  return [...facts, `${shortNumber(tokens.total)} tokens`];
}

/** Drops facts from the end until they fit. */
function fittingFacts(facts: readonly string[], columns: number): string {
  const text = facts.join(" · ");
  return facts.length > 1 && widthOf(text) + 2 > columns
    ? fittingFacts(facts.slice(0, -1), columns)
    : text;
}

function comparison({ home, span, time, before }: Board): Part[] {
  const was = before.value?.totals.costMicroUsd ?? null;
  const is = time.value?.totals.costMicroUsd ?? null;
  if (!span.before || before.isWaiting || was === null || is === null || was === 0) return [];
  const percent = Math.round((100 * (is - was)) / was);
  const more = `${percent > 0 ? "▲" : "▼"} ${exact(Math.abs(percent))} % on`;
  const text = `   ${percent === 0 ? "as much as" : more} ${span.before.name}`;
  return [[text, (part) => home.style.dim(part)]];
}
