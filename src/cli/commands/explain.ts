import { optional } from "../../core/optional.ts";
import { addDays, Calendar } from "../../queries/calendar.ts";
import { AGENT_OPTIONS, agentOf } from "../options/agent.ts";
import type { Command, Context } from "../command.ts";
import { EXIT } from "../exit.ts";
import { MONEY_OPTIONS, moneyFormatOf, TIMEZONE_OPTION } from "../options/ledger.ts";
import { PAGER_OPTION, paged } from "../pager.ts";
import { explainLines } from "../print/explain.ts";
import { writeJson } from "../print/json.ts";

export const command: Command = {
  about:
    "Shows for each request the recorded counts, how they were split, the price that applied, " +
    "and the file and line of each. Also lists what is not counted because it would count " +
    "twice.",
  arguments: [
    {
      name: "<key>",
      about: "a day (2026-11-15, today), week, month, hour; a session; a message",
    },
  ],
  options: [...AGENT_OPTIONS, TIMEZONE_OPTION, ...MONEY_OPTIONS, PAGER_OPTION],
  examples: [
    { line: "explain today", about: "every request of today" },
    { line: "explain latest", about: "every request of the latest session" },
    { line: "explain 2026-W46 --json", about: "a week, as JSON" },
  ],
  async run(context) {
    const { options, columns, style } = context;
    const money = moneyFormatOf(context);
    const library = await context.library();
    const filter = optional("source", agentOf(options));
    const answer = await library.explain(keyOf(context), options.text("timezone"), filter);
    if (context.isJson) {
      await writeJson(context.out, answer);
      return EXIT.ok;
    }
    const lines = explainLines(answer, { columns, style, money });
    await paged(context, async (out) => out.write(`${lines.join("\n")}\n`));
    return EXIT.ok;
  },
};

function keyOf({ args, options, now }: Context): string {
  const [key = ""] = args;
  const days = { today: 0, yesterday: -1 }[key];
  if (days === undefined) return key;
  return addDays(new Calendar(options.text("timezone")).dayOf(now.getTime()), days);
}
