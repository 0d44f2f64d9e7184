import { wrongUsage } from "../../core/error.ts";
import { optional } from "../../core/optional.ts";
import type { Library } from "../../library/library.ts";
import type { BudgetAnswer } from "../../queries/prices/budget.ts";
import type { Grouping } from "../../queries/usage/groupings.ts";
import { GROUPINGS } from "../../queries/usage/groupings.ts";
import type { UsageQuery, UsageReport } from "../../queries/usage/usage.ts";
import { SORTS } from "../../queries/usage/usage.ts";
import type { Command, Context } from "../command.ts";
import { EXIT } from "../exit.ts";
import { lastDays, LEDGER_OPTIONS, ledgerFilterOf } from "../options/ledger.ts";
import { MONEY_OPTIONS, moneyFormatOf } from "../options/ledger.ts";
import { PAGER_OPTION, paged } from "../pager.ts";
import { budgetLines } from "../print/compare.ts";
import { emptyLines } from "../print/empty.ts";
import { writeJson } from "../print/json.ts";
import type { MoneyFormat } from "../print/money.ts";
import { usageLines } from "../print/usage.ts";
import { wrap } from "../print/width.ts";

const DEFAULT_DAYS = 30;

export const command: Command = {
  about:
    "Every paid reply is counted once, including rewound ones; sums are the same in every " +
    "grouping. Without --by, --since, --until and --session: the last 30 days, by day.",
  options: [
    { flags: "-b, --by <groups>", about: `group by one or two of ${GROUPINGS.join(", ")}` },
    ...LEDGER_OPTIONS,
    { flags: "--roll-up", about: "count subagents as part of the session that started them" },
    { flags: "--sort <column>", about: "order of rows", choices: SORTS },
    {
      flags: "-n, --limit <count>",
      about: "show at most this many rows; the rest is summed up in one",
    },
    { flags: "--budget <dollars>", about: "compare this month with a budget, with a forecast" },
    { flags: "--compact", about: "show only requests, tokens and cost" },
    { flags: "--csv", about: "print CSV" },
    ...MONEY_OPTIONS,
    PAGER_OPTION,
  ],
  examples: [
    { line: "usage", about: "the last 30 days, by day" },
    { line: "usage --by month,model", about: "all months, and the models of each" },
    { line: "usage --by project --since 7d", about: "cost of the projects of this week" },
    { line: "usage --by agent,model", about: "cost of each agent, by model" },
    {
      line: "usage --by session --roll-up -n 10",
      about: "the most expensive sessions, with subagents",
    },
    { line: "usage --by day --csv > usage.csv", about: "for a spreadsheet" },
    { line: "usage --budget 200", about: "whether the month will stay below 200 dollars" },
    { line: "usage --currency EUR --rate 0.92", about: "in euros, at your rate" },
  ],
  async run(context) {
    const { isDefaultPeriod, ...query } = queryOf(context);
    const money = moneyFormatOf(context);
    const library = await context.library();
    const report = await library.usage(query);
    const budget = await budgetIn(context, library, query);
    if (context.isJson) {
      await writeJson(context.out, { ...report, ...optional("budget", budget) });
    } else if (context.options.has("csv")) {
      await writeCsv(context, report, money);
    } else if (report.coverage.read === 0) {
      for (const line of emptyLines(library.roots, report.coverage, context.style)) {
        await context.out.line(line);
      }
    } else {
      const lines = linesOf(context, report, { money, isDefaultPeriod });
      if (budget) lines.push("", ...budgetLines(budget, { ...context, money }));
      if (await library.archive.isUnused()) lines.push("", ...unkeptLines(context));
      await paged(context, async (out) => out.write(`${lines.join("\n")}\n`));
    }
    return EXIT.ok;
  },
};

/** The monthly budget in dollars, from `--budget` or `POLLUX_BUDGET`. */
async function budgetIn(
  { options, env, now }: Context,
  library: Library,
  { project, model, source, tag, star, timezone }: UsageQuery,
): Promise<BudgetAnswer | undefined> {
  const text = options.text("budget") ?? env["POLLUX_BUDGET"];
  if (text === undefined || text === "") return undefined;
  if (!/^\d{1,9}(\.\d{1,6})?$/.test(text) || Number(text) === 0) {
    throw wrongUsage(`--budget takes an amount of dollars above zero, such as 200, not "${text}".`);
  }
  const filter = {
    ...optional("project", project),
    ...optional("model", model),
    ...optional("source", source),
    ...optional("tag", tag),
    ...optional("star", star),
  };
  const budgetMicroUsd = Math.round(Number(text) * 1e6);
  const when = { nowMs: now.getTime(), ...optional("timezone", timezone) };
  return library.review.budget({ budgetMicroUsd, ...when, filter });
}

function queryOf(context: Context): UsageQuery & { isDefaultPeriod: boolean } {
  const { options } = context;
  if (context.isJson && options.has("csv"))
    throw wrongUsage("--json and --csv cannot be combined.");
  const filter = ledgerFilterOf(context);
  const by = groupingsOf(options.text("by"));
  const { sinceMs, untilMs, session } = filter;
  const isDefaultPeriod =
    by === undefined && sinceMs === undefined && untilMs === undefined && session === undefined;
  return {
    ...filter,
    ...(isDefaultPeriod ? lastDays(context, DEFAULT_DAYS) : {}),
    isDefaultPeriod,
    by: by ?? ["day"],
    ...optional("timezone", options.text("timezone")),
    ...optional(
      "sort",
      SORTS.find((sort) => sort === options.text("sort")),
    ),
    ...optional("limit", options.count("limit")),
    subagents: options.has("rollUp") ? "rolled-up" : "separate",
  };
}

function groupingsOf(text: string | undefined): UsageQuery["by"] {
  if (text === undefined) return undefined;
  const [first, second, ...more] = text.split(",").map((name) => groupingOf(name.trim()));
  if (first === undefined || more.length > 0) {
    throw wrongUsage("--by takes one grouping, or two separated by a comma.");
  }
  if (first === second) throw wrongUsage(`--by contains ${first} twice.`);
  return second === undefined ? [first] : [first, second];
}

function groupingOf(name: string): Grouping {
  const found = GROUPINGS.find((grouping) => grouping === name.toLowerCase());
  if (found) return found;
  throw wrongUsage(`--by: unknown grouping "${name}".`, {
    remedy: `Use ${GROUPINGS.join(", ")}.`,
  });
}

/** A note that sessions read from disk only may be deleted. */
function unkeptLines({ style, columns }: Context): string[] {
  const text = "Nothing is archived yet: pollux keep makes these sessions safe from deletion.";
  return wrap(text, columns).map((line) => line.replace("pollux keep", style.bold("pollux keep")));
}

async function writeCsv(context: Context, report: UsageReport, money: MoneyFormat): Promise<void> {
  const { usageCsv } = await import("../../exports/usage-csv.ts");
  const currency = money.code === "USD" ? undefined : money;
  for (const line of usageCsv(report, currency)) await context.out.write(line);
}

function linesOf(
  { tableColumns: columns, style, options }: Context,
  report: UsageReport,
  { money, isDefaultPeriod }: { money: MoneyFormat; isDefaultPeriod: boolean },
): string[] {
  const lines = usageLines(report, {
    columns,
    style,
    money,
    shape: options.has("compact") ? "compact" : "full",
    ...(isDefaultPeriod ? { period: `last ${DEFAULT_DAYS} days` } : {}),
  });
  if (!isDefaultPeriod || report.totals.requests > 0) return lines;
  return [...lines, "", `${style.bold("pollux usage --by month")} shows all time.`];
}
