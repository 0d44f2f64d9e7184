import { optional } from "../../core/optional.ts";
import { COMPARED } from "../../queries/compare.ts";
import type { Command } from "../command.ts";
import { EXIT } from "../exit.ts";
import { LEDGER_OPTIONS, ledgerFilterOf, MONEY_OPTIONS, moneyFormatOf } from "../options/ledger.ts";
import { comparisonLines } from "../print/compare.ts";
import { writeJson } from "../print/json.ts";

export const command: Command = {
  about:
    "Shows requests, tokens and cost, and how the second differs from the first. Periods are " +
    "months (2026-10), days (2026-10-01) or ranges (2026-10-01..2026-10-15).",
  arguments: [
    { name: "<first>", about: "a session id, model, project or period" },
    { name: "<second>", about: "what to compare it with" },
  ],
  options: [
    { flags: "-w, --what <what>", about: "what to compare (default: sessions)", choices: COMPARED },
    ...LEDGER_OPTIONS,
    ...MONEY_OPTIONS,
  ],
  examples: [
    { line: "compare 2026-10 2026-11 --what periods", about: "two months" },
    { line: "compare flash pro --what models --demo", about: "two models" },
    {
      line: "compare flash pro --what models --since 30d --demo",
      about: "two models, last 30 days",
    },
    { line: "compare 6a0c03fe latest", about: "two sessions, with their subagents" },
    { line: "compare 2026-10 2026-11 --what periods --json", about: "for programs" },
  ],
  async run(context) {
    const { options, args } = context;
    const [first = "", second = ""] = args;
    const what = COMPARED.find((each) => each === options.text("what")) ?? "sessions";
    const library = await context.library();
    const request = { what, names: [first, second] as const };
    const answer = await library.review.compare({
      ...request,
      ...optional("timezone", options.text("timezone")),
      filter: ledgerFilterOf(context),
    });
    if (context.isJson) await writeJson(context.out, answer);
    else {
      const view = { ...context, money: moneyFormatOf(context) };
      for (const line of comparisonLines(answer, view)) await context.out.line(line);
    }
    return EXIT.ok;
  },
};
