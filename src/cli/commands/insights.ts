import type { Command } from "../command.ts";
import { EXIT } from "../exit.ts";
import { FILTER_OPTIONS, filterOf } from "../options/filter.ts";
import { MONEY_OPTIONS, moneyFormatOf } from "../options/ledger.ts";
import { PAGER_OPTION, paged } from "../pager.ts";
import { emptyLinesOf } from "../print/empty.ts";
import { insightsLines } from "../print/insights.ts";
import { writeJson } from "../print/json.ts";

const NOT_ALL = "The other sessions were not read yet: `pollux keep` includes them.";

export const command: Command = {
  about:
    "Uses documented rules (docs/guide/insights.md), not a model. Covers kinds of work, failed " +
    "and repeated calls, undone edits, rewound and compressed work, cache misses, context " +
    "growth and expensive files. Each finding lists its evidence.",
  options: [
    ...FILTER_OPTIONS,
    {
      flags: "-n, --limit <count>",
      about: "only this many sessions, newest first (default: all)",
    },
    { flags: "--evidence", about: "list all evidence of each finding" },
    ...MONEY_OPTIONS,
    PAGER_OPTION,
  ],
  examples: [
    { line: "insights --demo", about: "all demo sessions" },
    { line: "insights --since 30d", about: "the last 30 days" },
    { line: "insights -p api --evidence", about: "one project, with all evidence" },
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
    const { meant, read } = answer.sessions;
    const isPart = read < meant && filter.limit === undefined;
    const none = read === 0 ? await emptyLinesOf(library, context.style) : undefined;
    const lines = none ?? [...insightsLines(answer, view), ...(isPart ? [NOT_ALL] : [])];
    await paged(context, async (out) => out.write(`${lines.join("\n")}\n`));
    return EXIT.ok;
  },
};
