import { wrongUsage } from "../../core/error.ts";
import { STATUSES } from "../../core/rows/summary.ts";
import { optional } from "../../core/optional.ts";
import type { LedgerFilter } from "../../queries/usage/ledger.ts";
import { momentOf } from "../../queries/moment.ts";
import { AGENT_OPTIONS, agentOf } from "./agent.ts";
import type { Context, OptionSpec } from "../command.ts";
import { ownFilterOf } from "./filter.ts";
import { MoneyFormat } from "../print/money.ts";

export const TIMEZONE_OPTION: OptionSpec = {
  flags: "--timezone <zone>",
  about: "time zone of days, such as Europe/Berlin or UTC (default: yours)",
};

/** Options that filter requests or calls. */
export const LEDGER_OPTIONS: readonly OptionSpec[] = [
  { flags: "-s, --since <when>", about: "only since: 2026-11-15, 7d, 12h, today, yesterday" },
  { flags: "-u, --until <when>", about: "only until then; a day includes its end" },
  { flags: "-p, --project <name>", about: "only projects whose name or path contains this" },
  { flags: "-m, --model <name>", about: "only models whose name contains this" },
  { flags: "--session <id>", about: "only this session (an id or latest) and its subagents" },
  { flags: "--status <status>", about: "only sessions with this status", choices: STATUSES },
  { flags: "--tag <tag>", about: "only sessions with this tag" },
  { flags: "--starred", about: "only starred sessions" },
  ...AGENT_OPTIONS,
  TIMEZONE_OPTION,
];

export const MONEY_OPTIONS: readonly OptionSpec[] = [
  {
    flags: "--prices <file>",
    about: "your own prices; they override the bundled ones",
    completes: "file",
  },
  { flags: "--currency <code>", about: "show costs in this currency; needs --rate" },
  { flags: "--rate <number>", about: "value of one dollar in this currency, such as 0.92" },
];

export function ledgerFilterOf(context: Context): LedgerFilter {
  const { options } = context;
  const filter = {
    ...optional("sinceMs", options.since("since", options.text("timezone"))),
    ...optional("untilMs", options.until("until", options.text("timezone"))),
    ...optional("project", options.text("project")),
    ...optional("model", options.text("model")),
    ...optional("session", options.text("session")),
    ...optional("status", options.text("status")),
    ...optional("source", agentOf(options)),
    ...ownFilterOf(options),
  };
  const { sinceMs, untilMs } = filter;
  if (sinceMs !== undefined && untilMs !== undefined && sinceMs >= untilMs) {
    throw wrongUsage("--since must be before --until.");
  }
  return filter;
}

/** A filter for the last days, including today. */
export function lastDays({ options, now }: Context, days: number): LedgerFilter {
  const timezone = options.text("timezone");
  return optional("sinceMs", momentOf(`${days}d`, { now, edge: "begin", timezone }));
}

export function moneyFormatOf({ options }: Context): MoneyFormat {
  const code = options.text("currency")?.toUpperCase();
  const rate = options.text("rate");
  if (code === undefined || code === "USD") {
    if (rate !== undefined && rate !== "1") throw wrongUsage("--rate needs --currency.");
    return new MoneyFormat("USD", "1");
  }
  if (rate === undefined) {
    throw wrongUsage(`--currency ${code} needs an exchange rate.`, {
      remedy: "Give it with --rate, such as --rate 0.92; Pollux does not look up rates.",
    });
  }
  if (!/^\d{1,9}(\.\d{1,9})?$/.test(rate) || Number(rate) === 0) {
    throw wrongUsage(`--rate takes a number above zero, such as 0.92, not "${rate}".`);
  }
  return new MoneyFormat(code, rate);
}
