import type { Finding, InsightsAnswer, UsageSumAnswer } from "../../queries/insights/insights.ts";
import { counted, exact, shortNumber } from "./figures.ts";
import { safeLine } from "./safe.ts";
import { shortId } from "./session-list.ts";
import { fit, pad, widthOf, wrap } from "./width.ts";
import type { MoneyView } from "./view.ts";

export interface InsightsView extends MoneyView {
  /** Number of places shown for each finding. */
  evidence: number;
}

const BAR = 24;
/** Columns for `$0.3679, 639k tokens in 24 requests, 30 turns`. */
const WORDS = 48;

export function insightsLines(answer: InsightsAnswer, view: InsightsView): string[] {
  const { style } = view;
  const { meant, read } = answer.sessions;
  if (read === 0) return ["No sessions in this period."];
  const part = read < meant ? ` of ${exact(meant)}` : "";
  const found = answer.findings.filter(({ count, undecided }) => count > 0 || undecided !== null);
  const silent = answer.findings.filter((finding) => !found.includes(finding));
  const nothing = silent.map(({ title }) => title.toLowerCase()).join(", ");
  return [
    ...wrap(
      `${counted(read, "session")}${part}, ${spentText(answer.totals, view)}`,
      view.columns,
    ).map((line) => style.bold(line)),
    "",
    ...answer.kinds.map((kind) => kindLine(kind, view)),
    "",
    ...found.flatMap((finding) => [...findingLines(finding, view), ""]),
    ...(silent.length === 0 ? [] : wrap(`Not found: ${nothing}.`, view.columns)).map((line) =>
      style.dim(line),
    ),
    ...wrap(`prices: ${answer.prices.source}, ${answer.prices.date}`, view.columns).map((line) =>
      style.dim(line),
    ),
  ];
}

function spentText(
  { requests, tokens, costMicroUsd }: UsageSumAnswer,
  { money }: InsightsView,
): string {
  const cost = costMicroUsd === null ? "unpriced" : money.text(costMicroUsd);
  return `${cost}, ${shortNumber(tokens)} tokens in ${counted(requests, "request")}`;
}

function kindLine(kind: InsightsAnswer["kinds"][number], view: InsightsView): string {
  const { style, columns } = view;
  const share = kind.share ?? 0;
  const percent = kind.share === null ? "–" : percentOf(kind.share);
  const turns = kind.kind === "other" ? "" : `, ${counted(kind.turns, "turn")}`;
  const name = `${pad(kind.kind, 10)}${pad(percent, 6, "right")}  `;
  // If space is short, the bar shrinks first, then the words.
  const room = columns - widthOf(name) - 1;
  const most = room >= BAR + WORDS ? BAR : Math.max(0, room - WORDS);
  const bar = pad("█".repeat(Math.round(share * most)), most);
  const words = fit(`${spentText(kind, view)}${turns}`, room - most);
  return `${name}${style.cyan(bar)} ${style.dim(words)}`;
}

function findingLines(finding: Finding, view: InsightsView): string[] {
  const { style, columns, evidence } = view;
  const { id, title, count, share, spent, undecided, advice } = finding;
  const part = share === null ? "" : `, ${percentOf(share)} of all spending`;
  const isNarrow = widthOf(title) + widthOf(id) + 1 > columns;
  const head = isNarrow
    ? [style.bold(title), style.dim(`  ${id}`)]
    : [`${style.bold(title)} ${style.dim(id)}`];
  const sum = `${counted(count, "time")}${part}${spent ? `: ${spentText(spent, view)}` : ""}`;
  const places = finding.evidence.slice(0, evidence).map((place) => {
    const message = place.messageId === null ? "" : ` ${safeLine(place.messageId).slice(0, 8)}`;
    const where = `${style.cyan(shortId(place.sessionId))}${style.dim(message)}`;
    return `  ${where}  ${fit(safeLine(place.what), Math.max(16, columns - 22))}`;
  });
  const more = finding.evidence.length - places.length;
  const cannot = undecided ? [`  ${exact(undecided.count)} undecided: ${undecided.why}`] : [];
  return [
    ...head,
    ...wrap(`  ${sum}. ${advice}`, columns),
    ...cannot.flatMap((line) => wrap(line, columns)).map((line) => style.dim(line)),
    ...places,
    ...(more > 0 ? [style.dim(`  … ${exact(more)} more: --evidence`)] : []),
  ];
}

function percentOf(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
