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
import { wrongUsage } from "../options/options.ts";
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
    "Every paid reply counts once, also what was rewound, and adds up in every direction. " +
    "Without --by, --since, --until and --session: the last 30 days, by day.",
  options: [
    { flags: "-b, --by <groups>", about: `one or two of ${GROUPINGS.join(", ")}` },
    ...LEDGER_OPTIONS,
    { flags: "--roll-up", about: "tell subagents as a part of the session that began them" },
    { flags: "--sort <column>", about: "order of rows", choices: SORTS },
    { flags: "-n, --limit <count>", about: "at most so many rows; the rest as one" },
    { flags: "--budget <dollars>", about: "how this month goes against it, with a forecast" },
    { flags: "--compact", about: "only requests, tokens and cost" },
    { flags: "--csv", about: "print a table for spreadsheets" },
    ...MONEY_OPTIONS,
    PAGER_OPTION,
  ],
  examples: [
    { line: "usage", about: "the last 30 days, by day" },
    { line: "usage --by month,model", about: "all months, and the models within each" },
    { line: "usage --by project --since 7d", about: "what the projects of this week cost" },
    { line: "usage --by agent,model", about: "what each agent cost, by model" },
    { line: "usage --by session --roll-up -n 10", about: "the dearest sessions, with subagents" },
    { line: "usage --by day --csv > usage.csv", about: "for a spreadsheet" },
    { line: "usage --budget 200", about: "and whether the month will stay below 200 dollars" },
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
    throw wrongUsage(`A budget is an amount of dollars above zero like 200, not "${text}".`);
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
    throw wrongUsage("--json and --csv exclude each other.");
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
    throw wrongUsage("--by takes one grouping, or two with a comma between them.");
  }
  if (first === second) throw wrongUsage(`--by names ${first} twice.`);
  return second === undefined ? [first] : [first, second];
}

function groupingOf(name: string): Grouping {
  const found = GROUPINGS.find((grouping) => grouping === name.toLowerCase());
  if (found) return found;
  throw wrongUsage(`--by does not know "${name}".`, {
    remedy: `It knows ${GROUPINGS.join(", ")}.`,
  });
}

/** A note that sessions read from disk only may be deleted. */
function unkeptLines({ style, columns }: Context): string[] {
  const text = "Nothing is kept yet: pollux keep makes these sessions safe, whatever is deleted.";
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
