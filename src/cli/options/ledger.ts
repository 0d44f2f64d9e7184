import { STATUSES } from "../../core/summary.ts";
import { optional } from "../../core/optional.ts";
import type { LedgerFilter } from "../../queries/usage/ledger.ts";
import { momentOf } from "../../queries/moment.ts";
import { AGENT_OPTIONS, agentOf } from "./agent.ts";
import type { Context, OptionSpec } from "../command.ts";
import { ownFilterOf } from "./filter.ts";
import { wrongUsage } from "./options.ts";
import { MoneyFormat } from "../print/money.ts";

export const TIMEZONE_OPTION: OptionSpec = {
  flags: "--timezone <zone>",
  about: "whose days are meant, like Europe/Berlin or UTC; yours by default",
};

/** Options that filter requests or calls. */
export const LEDGER_OPTIONS: readonly OptionSpec[] = [
  { flags: "-s, --since <when>", about: "made since: 2026-11-15, 7d, 12h, today, yesterday" },
  { flags: "-u, --until <when>", about: "made until then; a day counts to its end" },
  { flags: "-p, --project <name>", about: "in projects whose name or path has this part" },
  { flags: "-m, --model <name>", about: "answered by models whose name has this part" },
  { flags: "--session <id>", about: "of this session and its subagents; `latest` is one too" },
  { flags: "--status <status>", about: "of sessions that ended like this", choices: STATUSES },
  { flags: "--tag <tag>", about: "of sessions with this tag of yours" },
  { flags: "--starred", about: "of sessions that you have starred" },
  ...AGENT_OPTIONS,
  TIMEZONE_OPTION,
];

export const MONEY_OPTIONS: readonly OptionSpec[] = [
  {
    flags: "--prices <file>",
    about: "your own prices, before the bundled ones",
    completes: "file",
  },
  { flags: "--currency <code>", about: "show money in this currency; needs --rate" },
  { flags: "--rate <number>", about: "how much of it one dollar is, like 0.92" },
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
    throw wrongUsage("--since lies after --until: nothing can be in between.");
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
    throw wrongUsage(`How much ${code} is a dollar? Give --rate.`, {
      remedy: "Pollux asks no server for rates: the one you pay is yours to tell.",
    });
  }
  if (!/^\d{1,9}(\.\d{1,9})?$/.test(rate) || Number(rate) === 0) {
    throw wrongUsage(`--rate wants a number above zero like 0.92, not "${rate}".`);
  }
  return new MoneyFormat(code, rate);
}
