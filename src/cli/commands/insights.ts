import type { Command } from "../command.ts";
import { EXIT } from "../exit.ts";
import { FILTER_OPTIONS, filterOf } from "../options/filter.ts";
import { MONEY_OPTIONS, moneyFormatOf } from "../options/ledger.ts";
import { PAGER_OPTION, paged } from "../pager.ts";
import { insightsLines } from "../print/insights.ts";
import { writeJson } from "../print/json.ts";

export const command: Command = {
  about:
    "Where the money and the work went, by rules that are written down (docs/guide/insights.md), " +
    "never by a model: kinds of work, failed and repeated calls, edits that were undone, rewound and " +
    "compressed work, cache misses, growth of the context, costly files. Each finding names the " +
    "places that it rests on.",
  options: [
    ...FILTER_OPTIONS,
    { flags: "-n, --limit <count>", about: "read at most so many sessions, the newest (200)" },
    { flags: "--evidence", about: "all places that findings rest on" },
    ...MONEY_OPTIONS,
    PAGER_OPTION,
  ],
  examples: [
    { line: "insights --demo", about: "of everything in the demo" },
    { line: "insights --since 30d", about: "of the last thirty days" },
    { line: "insights -p api --evidence", about: "of one project, with every place" },
    { line: "insights --since 30d --json", about: "for programs" },
  ],
  async run(context) {
    const filter = filterOf(context.options);
    const library = await context.library();
    const answer = await library.review.insights(filter);
    if (context.isJson) {
      await writeJson(context.out, answer);
      return EXIT.ok;
    }
    const evidence = context.options.has("evidence") ? Number.POSITIVE_INFINITY : 3;
    const view = { ...context, money: moneyFormatOf(context), evidence };
    const lines = insightsLines(answer, view);
    await paged(context, async (out) => out.write(`${lines.join("\n")}\n`));
    return EXIT.ok;
  },
};
