import type { Counts } from "../../core/usage/counts.ts";
import { RECORDED_COUNTS } from "../../core/usage/counts.ts";
import type {
  ExplainedPrice,
  ExplainedRequest,
  Explanation,
  FileLine,
  ExcludedCount,
} from "../../queries/explain.ts";
import { unrecordedText } from "../../queries/doctor/unrecorded.ts";
import { counted, exact } from "./figures.ts";
import { partly } from "./money.ts";
import { homePath } from "./path.ts";
import { safeLine } from "./safe.ts";
import { shortId } from "./session-list.ts";
import { widthOf, wrap } from "./width.ts";
import type { MoneyView } from "./view.ts";

export function explainLines(answer: Explanation, view: MoneyView): string[] {
  const { totals, prices, requests, notCounted } = answer;
  const { style, money } = view;
  const sumCost = totals.costMicroUsd === null ? "unpriced" : money.text(totals.costMicroUsd);
  const cost = partly(sumCost, totals);
  const { requests: count, tokens } = totals;
  const sum = `${counted(count, "request")}, ${exact(tokens.total)} tokens, ${cost}`;
  const head = `${answer.kind} ${safeLine(answer.key)}: ${sum}`;
  const own = prices.ownFile === null ? "" : `${homePath(prices.ownFile)}, then `;
  return [
    ...wrap(head, view.columns).map((line) => style.bold(line)),
    ...requests.flatMap((request) => ["", ...requestLines(request, answer.timezone, view)]),
    ...notCounted.flatMap((item) => ["", ...notCountedLines(item, view)]),
    "",
    ...unrecordedText(answer.unrecorded).flatMap((line) => wrap(line, view.columns)),
    ...wrap(requestSum(answer), view.columns),
    ...wrap(
      `prices: ${own}${safeLine(prices.source)}, ${prices.date} · ${answer.timezone}`,
      view.columns,
    ).map((line) => style.dim(line)),
  ];
}

/** The sum of all requests above, as in reports. */
function requestSum({ totals }: Explanation): string {
  const { fresh, cached, cacheWrite, output, thoughts, total } = totals.tokens;
  const parts = [
    `${exact(fresh)} new input`,
    ...known(cached, "cached"),
    ...known(cacheWrite, "written to the cache"),
    `${exact(output)} output`,
    ...known(thoughts, "thoughts"),
  ];
  return `total: ${parts.join(" + ")} = ${exact(total)} tokens`;
}

/** Unknown counts are left out. */
function known(count: number | null, what: string): string[] {
  return count === null ? [] : [`${exact(count)} ${what}`];
}

function requestLines(request: ExplainedRequest, timezone: string, view: MoneyView): string[] {
  const { style } = view;
  const { place, repeatedAt, remarks, standing, reason } = request;
  const state = standing === "live" ? "" : ` · ${standing}${reason === null ? "" : ` (${reason})`}`;
  const lines = [
    ...(request.recorded === null ? [] : [`recorded  ${recordedText(request.recorded)}`]),
    `counted   ${countedText(request)}`,
    `cost      ${costText(request, view)}`,
    ...(request.isAtLeast ? [`note      ${AT_LEAST}`] : []),
    ...(request.purpose === null
      ? []
      : [`note      not part of the conversation: ${request.purpose}`]),
    ...remarks.map((remark) => `note      ${remark}`),
    ...repeatedAt.map((item) => `again     ${againText(item, place)}, counted once`),
  ];
  return [
    ...headLines(
      when(request.at, timezone),
      `${safeLine(request.model ?? "no model")}${state}`,
      view,
    ),
    `  ${homePath(place.file)}:${place.line}`,
    ...indented(`message ${safeLine(request.messageId)}`, view).map((line) => style.dim(line)),
    ...indented(`session ${safeLine(request.sessionId)}`, view).map((line) => style.dim(line)),
    ...lines.flatMap((line) => indented(line, view)),
  ];
}

function headLines(time: string, what: string, { style, columns }: MoneyView): string[] {
  const isNarrow = widthOf(time) + widthOf(what) + 2 > columns;
  return isNarrow
    ? [style.cyan(time), ...wrap(`  ${what}`, columns)]
    : [`${style.cyan(time)}  ${what}`];
}

function when(at: string | null, timezone: string): string {
  if (at === null) return "no time";
  const style = { dateStyle: "short", timeStyle: "medium", timeZone: timezone } as const;
  return new Intl.DateTimeFormat("sv-SE", style).format(new Date(at));
}

function againText({ file, line }: FileLine, place: FileLine): string {
  return file === place.file ? `in line ${line}` : `${homePath(file)}:${line}`;
}

function indented(text: string, { columns }: MoneyView): string[] {
  const [first = "", ...more] = wrap(text, Math.min(columns, 120) - 12);
  return [`  ${first}`, ...more.map((line) => `            ${line}`)];
}

const AT_LEAST = "The final count was not recorded: this is a lower bound.";

function recordedText(usage: Counts): string {
  return RECORDED_COUNTS.flatMap((field) => {
    const count = usage[field];
    return count === undefined ? [] : [`${field} ${exact(count)}`];
  }).join(", ");
}

function countedText({ tokens }: ExplainedRequest): string {
  const { input, cached, cacheWrite, tool, fresh, output, thoughts, total } = tokens;
  const prompt = [
    `${exact(input)} input`,
    ...known(cached, "cached").map((part) => `− ${part}`),
    ...known(cacheWrite, "written to the cache").map((part) => `− ${part}`),
    ...((tool ?? 0) > 0 ? [`+ ${exact(tool ?? 0)} tool`] : []),
  ];
  const parts = [
    ...known(cached, "cached"),
    ...known(cacheWrite, "written to the cache"),
    `${exact(output)} output`,
    ...known(thoughts, "thoughts"),
  ];
  return `${prompt.join(" ")} = ${exact(fresh)} new; + ${parts.join(" + ")} = ${exact(total)}`;
}

function costText(request: ExplainedRequest, { money }: MoneyView): string {
  const { price, costMicroUsd } = request;
  if (price === null || costMicroUsd === null)
    return `unpriced: ${safeLine(request.unpriced ?? "")}`;
  const parts = pricedParts(request.tokens, price.rates);
  const tier = price.aboveTokens === null ? "" : `, prompt above ${exact(price.aboveTokens)}`;
  const from = price.from === null ? "" : `, since ${price.from}`;
  const service = request.tier === null ? "" : `, ${safeLine(request.tier)}`;
  const sum = `${parts.join(" + ")} per million${searchText(request, price)}`;
  const exactSum =
    money.code === "USD" ? `$${money.decimal(costMicroUsd)}` : money.text(costMicroUsd);
  return `${sum} = ${exactSum} (${safeLine(price.model)}${tier}${service}${from})`;
}

/** The cost of each kind of token; kinds with the same price are shown together. */
function pricedParts(tokens: ExplainedRequest["tokens"], rates: ExplainedPrice["rates"]): string[] {
  const { fresh, cached, cacheWrite, cacheWrite1h, output, thoughts } = tokens;
  const times = (count: number, rate: number): string => `${exact(count)} × $${perMillion(rate)}`;
  const hour = cacheWrite1h ?? 0;
  const written = (cacheWrite ?? 0) - hour;
  const isSame = rates.thoughts === rates.output;
  return [
    times(fresh, rates.input),
    ...(cached === null ? [] : [times(cached, rates.cached)]),
    ...(written > 0 ? [times(written, rates.cacheWrite5m)] : []),
    ...(hour > 0 ? [times(hour, rates.cacheWrite1h)] : []),
    times(output + (isSame ? (thoughts ?? 0) : 0), rates.output),
    ...(isSame || thoughts === null ? [] : [times(thoughts, rates.thoughts)]),
  ];
}

/** Searches are charged one by one. */
function searchText({ webSearches }: ExplainedRequest, { rates }: ExplainedPrice): string {
  if (webSearches === null || webSearches === 0) return "";
  const searches = counted(webSearches, "web search", "web searches");
  if (rates.webSearches === null) return `; ${searches} without a price`;
  return ` + ${searches} × $${perMillion(rates.webSearches / 1e6)}`;
}

/** Micro-dollars per million tokens, as in price lists: `1.25`, `0.125`, `12`. */
function perMillion(micro: number): string {
  return String(micro / 1e6);
}

const WHY: Readonly<Record<ExcludedCount["why"], string>> = {
  "early-report": "an early report of the next request, which is counted instead",
  "counted-in-other-session": "a copy of a reply that is counted in another session",
};

function notCountedLines(item: ExcludedCount, view: MoneyView): string[] {
  const { style } = view;
  const title = `message ${safeLine(item.messageId)} of session ${shortId(item.sessionId)}`;
  return [
    style.yellow(`not counted: ${WHY[item.why]}`),
    `  ${homePath(item.place.file)}:${item.place.line}`,
    ...indented(title, view),
    ...indented(`recorded  ${recordedText(item.recorded)}`, view),
  ];
}
