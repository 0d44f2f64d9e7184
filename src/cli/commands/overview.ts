import { optional } from "../../core/optional.ts";
import { AGENT_OPTIONS, agentOf } from "../options/agent.ts";
import type { Command } from "../command.ts";
import { EXIT } from "../exit.ts";
import { MONEY_OPTIONS, moneyFormatOf, TIMEZONE_OPTION } from "../options/ledger.ts";
import { emptyLines } from "../print/empty.ts";
import { writeJson } from "../print/json.ts";
import { overviewLines } from "../print/overview.ts";

export const command: Command = {
  about:
    "Also shows which sessions are about to be deleted. `pollux` alone prints it when there is " +
    "no terminal.",
  options: [...AGENT_OPTIONS, TIMEZONE_OPTION, ...MONEY_OPTIONS],
  examples: [
    { line: "overview", about: "print the overview" },
    { line: "overview --json", about: "the same, for programs" },
  ],
  async run(context) {
    const { options, out, columns, style, now } = context;
    const money = moneyFormatOf(context);
    const library = await context.library();
    const filter = optional("source", agentOf(options));
    const overview = await library.overview(now.getTime(), options.text("timezone"), filter);
    if (context.isJson) {
      await writeJson(out, overview);
      return EXIT.ok;
    }
    const lines =
      overview.coverage.read === 0
        ? emptyLines(library.roots, overview.coverage, style)
        : overviewLines(overview, { columns, style, money });
    await out.write(`${lines.join("\n")}\n`);
    return EXIT.ok;
  },
};
