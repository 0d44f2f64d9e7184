import type { UsageReport } from "../../queries/usage/usage.ts";
import { counted, exact } from "./figures.ts";
import { homePath } from "./path.ts";
import { safeLine } from "./safe.ts";
import { wrap } from "./width.ts";
import type { MoneyView } from "./view.ts";

/** What the numbers are based on, and what they leave out. */
export function usageFooter(report: UsageReport, view: MoneyView): string[] {
  const { style, columns } = view;
  const paragraphs = [
    basisLine(report),
    [...sharesOf(report), ...takenBackOf(report, view)].join(" · "),
    ...unpricedLines(report),
    pricesLine(report, view),
    ...report.notes.map(safeLine),
  ];
  return paragraphs
    .filter((line) => line !== "")
    .flatMap((line) => wrap(line, Math.min(columns, 110)))
    .map((line) => style.dim(line));
}

function basisLine({ coverage }: UsageReport): string {
  const { files, read, requests, rejected, oddRequests } = coverage;
  const parts = [`${exact(read)} of ${counted(files, "file")} read`, counted(requests, "request")];
  parts.push(
    rejected === 0
      ? "no record rejected"
      : `${counted(rejected, "record")} rejected (pollux doctor)`,
  );
  if (oddRequests > 0) parts.push(`${exact(oddRequests)} with counts that did not add up`);
  return parts.join(" · ");
}

function sharesOf({ cacheShare, subagents }: UsageReport): string[] {
  const parts = [];
  if (cacheShare !== null) parts.push(`${Math.round(cacheShare * 100)}% of input from cache`);
  if (subagents.sessions > 0) {
    const how = subagents.mode === "rolled-up" ? "rolled up" : "counted";
    parts.push(`${counted(subagents.sessions, "subagent")} ${how}`);
  }
  return parts;
}

function takenBackOf({ takenBack }: UsageReport, { money }: MoneyView): string[] {
  const { requests, tokens, costMicroUsd } = takenBack;
  if (requests === 0) return [];
  const cost = costMicroUsd === null ? "unpriced" : money.text(costMicroUsd);
  const spent = `${exact(tokens)} tokens, ${cost}`;
  return [`rewound or rolled back: ${counted(requests, "request")} (${spent})`];
}

function unpricedLines({ unpriced }: UsageReport): string[] {
  return unpriced.map(({ model, requests, tokens, why }) => {
    const name = model === null ? "no model" : safeLine(model);
    const count = `${counted(requests, "request")}, ${exact(tokens)} tokens`;
    return `unpriced: ${name} (${count}): ${safeLine(why)}`;
  });
}

function pricesLine({ prices }: UsageReport, { money }: MoneyView): string {
  const own = prices.ownFile === null ? "" : `${homePath(prices.ownFile)}, then `;
  const rate = money.code === "USD" ? "" : `; 1 USD = ${money.rate} ${money.code}`;
  const origin = `${own}${prices.source}, ${prices.date}`;
  return `cost: list prices of the API (${origin})${rate}; plans and free tiers are not known`;
}
