import type { Overview, OverviewPeriod } from "../../queries/overview.ts";
import type { UsageRow } from "../../queries/usage/usage.ts";
import { counted, exact, shortNumber } from "./figures.ts";
import type { Coins } from "./money.ts";
import type { Panel } from "./panel.ts";
import { barOf, ends, panelLines } from "./panel.ts";
import { safeLine } from "./safe.ts";
import type { Column } from "./table.ts";
import { tableLines } from "./table.ts";
import { pad, widthOf, wrap } from "./width.ts";
import type { MoneyView } from "./view.ts";

/** All amounts are rounded like the largest sum. */
type View = MoneyView & { fine: Coins };

const ROWS = 6;
const BARS = "▁▂▃▄▅▆▇█";

export function overviewLines(overview: Overview, asked: MoneyView): string[] {
  const view = {
    ...asked,
    fine: asked.money.coins(overview.periods.all.costMicroUsd),
  };
  return [
    ...headLines(overview, view),
    "",
    ...periodLines(overview, view),
    "",
    ...panelLines(panelsOf(overview, view), view),
    ...riskLines(overview, view),
    ...footerLines(overview, view),
  ];
}

function headLines({ sessions, periods, agents }: Overview, { columns, style }: View): string[] {
  const names = agents.map(({ label, key }) => safeLine(label ?? key));
  const whose = names.length === 0 ? "" : ` of ${names.join(", ")}`;
  const asking = periods.all.sessions;
  const idle = asking < sessions ? `; ${exact(asking)} with requests` : "";
  const text = `Pollux · ${counted(sessions, "session")}${whose}${idle}`;
  return wrap(text, columns).map((line) => line.replace(/^Pollux/, style.bold("Pollux")));
}

const PERIOD_NAMES: readonly [OverviewPeriod, string][] = [
  ["today", "today"],
  ["last7Days", "7 days"],
  ["last30Days", "30 days"],
  ["thisMonth", "this month"],
  ["all", "all time"],
];

type PeriodRow = Overview["periods"][OverviewPeriod] & { name: string };

function periodLines({ periods }: Overview, { columns, style, money, fine }: View): string[] {
  const rows = PERIOD_NAMES.map(([period, name]): PeriodRow => ({ name, ...periods[period] }));
  const number = (title: string, of: (row: PeriodRow) => number | null, rank?: number) => {
    const text = (row: PeriodRow): string => {
      const count = of(row);
      return count === null ? "–" : shortNumber(count);
    };
    return { title, text, align: "right", ...(rank === undefined ? {} : { rank }) } as const;
  };
  const table: Column<PeriodRow>[] = [
    { title: "", text: ({ name }) => name },
    {
      title: "cost",
      text: (row) => (row.requests === 0 ? "–" : moneyText(row, { money, fine })),
      align: "right",
      paint: (text) => style.bold(text),
    },
    number("requests", (row) => row.requests, 1),
    number("sessions", (row) => row.sessions, 2),
    { title: "cache", text: cacheText, align: "right", rank: 3 },
    number("new input", ({ tokens }) => tokens.fresh, 4),
    number("cached", ({ tokens }) => tokens.cached, 5),
    number("output", ({ tokens }) => tokens.output + (tokens.thoughts ?? 0), 6),
    number("tokens", ({ tokens }) => tokens.total),
  ];
  return tableLines(rows, table, { columns, style });
}

type Priced = Pick<PeriodRow, "costMicroUsd" | "unpricedRequests">;

function moneyText(row: Priced, { money, fine }: Pick<View, "money" | "fine">): string {
  if (row.costMicroUsd === null) return "unpriced";
  return `${money.text(row.costMicroUsd, fine)}${row.unpricedRequests > 0 ? "+" : ""}`;
}

function cacheText({ tokens }: PeriodRow): string {
  const { input, cached } = tokens;
  return input === 0 || cached === null ? "–" : `${Math.round((100 * cached) / input)}%`;
}

function panelsOf(overview: Overview, view: View): Panel[] {
  const { style } = view;
  const span = overview.topPeriod === "all" ? "all time" : "30 days";
  const { agents, projects, models, tools, shell, mcp } = overview;
  const total = overview.periods[overview.topPeriod].costMicroUsd ?? 0;
  const bars = (rows: readonly UsageRow[]) => (width: number) =>
    rowLines(rows, { width, total }, view);
  const calls = (rows: readonly Called[]) => (width: number) => callLines(rows, width);
  const servers = serversOf(mcp);
  const panels: (Panel & { isEmpty: boolean })[] = [
    { ...dayPanel(overview, view), isEmpty: false },
    { title: `Agents · ${span}`, lines: bars(agents), isEmpty: agents.length < 2 },
    { title: `Projects · ${span}`, lines: bars(projects), isEmpty: projects.length === 0 },
    { title: `Models · ${span}`, lines: bars(models), isEmpty: models.length === 0 },
    {
      title: `Tools · ${span}`,
      lines: calls(tools),
      paint: (line, at) => ((tools[at]?.error ?? 0) > 0 ? style.yellow(line) : line),
      isEmpty: tools.length === 0,
    },
    {
      title: `Shell, times run · ${span}`,
      lines: (width) => shellLines(shell, width),
      isEmpty: shell.length === 0,
    },
    { title: `MCP servers · ${span}`, lines: calls(servers), isEmpty: servers.length === 0 },
  ];
  return panels.filter(({ isEmpty }) => !isEmpty);
}

/** Thirty days as a line of bars, and the last days in figures. */
function dayPanel({ days }: Overview, view: View): Panel {
  const hasCost = days.some(({ costMicroUsd }) => (costMicroUsd ?? 0) > 0);
  const weights = days.map((day) => (hasCost ? (day.costMicroUsd ?? 0) : day.tokens.total));
  const most = Math.max(...weights, 1);
  const bars = weights.map((weight, at) => {
    const step = Math.ceil((weight / most) * BARS.length);
    return days[at]?.requests === 0 ? "·" : (BARS[Math.max(step, 1) - 1] ?? "█");
  });
  const shown = days.slice(1 - ROWS).toReversed();
  return {
    title: "By day · 30 days",
    lines: (width) => [
      bars
        .slice(-width)
        .map((bar) => bar.repeat(Math.max(1, Math.min(2, Math.floor(width / bars.length)))))
        .join(""),
      ...shown.map((day) => {
        const cost = day.requests === 0 ? "–" : moneyText(day, view);
        return ends(`${day.key.slice(5)}  ${counted(day.requests, "request")}`, cost, width);
      }),
    ],
    paint: (line, at) => (at === 0 ? view.style.cyan(line) : line),
  };
}

/** Maximum length of bars; narrow panels have none. */
const BAR = 12;

/** Shares are relative to the total, not to the listed rows. */
function rowLines(
  rows: readonly UsageRow[],
  { width, total }: { width: number; total: number },
  view: View,
): string[] {
  const bar = Math.min(BAR, Math.max(0, width - 30));
  return rows.slice(0, ROWS).map((row) => {
    const { costMicroUsd, tokens } = row;
    const name = safeLine(row.label ?? row.key);
    const part = total === 0 ? 0 : (costMicroUsd ?? 0) / total;
    const share = total === 0 ? "" : `${Math.round(100 * part)}%`;
    if (costMicroUsd === null)
      return ends(name, `${shortNumber(tokens.total)} tokens unpriced`, width);
    const amount = `${moneyText(row, view)} ${share.padStart(4)}`;
    return barLine(name, amount, { width, bar, part });
  });
}

function barLine(
  name: string,
  amount: string,
  { width, bar, part }: { width: number; bar: number; part: number },
): string {
  if (bar < 3) return ends(name, amount, width);
  return `${ends(name, amount, width - bar - 1)} ${pad(barOf(part, bar), bar)}`;
}

type Called = { name: string; calls: number; error: number };

function callLines(rows: readonly Called[], width: number): string[] {
  const most = Math.max(...rows.map(({ calls }) => calls), 1);
  const shown = rows.slice(0, ROWS);
  const widest = Math.max(0, ...shown.map((row) => widthOf(callsText(row))));
  const bar = Math.min(BAR, Math.max(0, width - widest - 14));
  return shown.map((row) => {
    return barLine(safeLine(row.name), callsText(row), { width, bar, part: row.calls / most });
  });
}

function callsText({ calls, error }: Called): string {
  const all = counted(calls, "call");
  return error === 0 ? all : `${all}, ${exact(error)} failed`;
}

/** `git 61  npm 33  rg 20`, over a few lines. */
function shellLines(shell: Overview["shell"], width: number): string[] {
  if (shell.length === 0) return [];
  const words = shell.map(({ command, calls }) => `${safeLine(command)}\u00a0${exact(calls)}`);
  const lines = wrap(words.join("  "), width).map((line) => line.replaceAll("\u00a0", " ").trim());
  return lines.slice(0, ROWS);
}

function serversOf(mcp: Overview["mcp"]): Called[] {
  const servers = new Map<string, Called>();
  for (const { server, calls, error } of mcp) {
    const known = servers.get(server) ?? { name: server, calls: 0, error: 0 };
    servers.set(server, { name: server, calls: known.calls + calls, error: known.error + error });
  }
  return [...servers.values()].slice(0, ROWS);
}

function riskLines({ deletion }: Overview, { style, columns }: View): string[] {
  const { tone, message } = deletion;
  if (tone === "none") return [];
  if (tone === "calm") return wrap(message, columns).map((line) => style.dim(line));
  const warning = `! ${message.replace(/\.$/, ": pollux keep")}`;
  return wrap(warning, columns).map((line) => style.yellow(line));
}

function footerLines(
  { coverage, prices, notes }: Overview,
  { columns, style }: MoneyView,
): string[] {
  const { files, read, rejected } = coverage;
  const basis = [`${exact(read)} of ${counted(files, "file")} read`];
  if (rejected > 0) basis.push(`${counted(rejected, "record")} rejected`);
  basis.push(`API list prices of ${prices.date}`);
  if (notes.length > 0) basis.push("a lower bound: pollux usage explains why");
  const hints = "pollux usage · sessions · show latest · tools · explain today · --help";
  return [...wrap(basis.join(" · "), columns), ...wrap(hints, columns)].map((line) =>
    style.dim(line),
  );
}
