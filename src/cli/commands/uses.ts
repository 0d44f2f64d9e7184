import { wrongUsage } from "../../core/error.ts";
import { optional } from "../../core/optional.ts";
import { isAboutCalls } from "../../core/filter/matches.ts";
import type { Command } from "../command.ts";
import { EXIT } from "../exit.ts";
import { FILTER_OPTIONS, filterOf } from "../options/filter.ts";
import { PAGER_OPTION, paged } from "../pager.ts";
import { emptyLinesOf } from "../print/empty.ts";
import { writeJson } from "../print/json.ts";
import { usesLines } from "../print/uses.ts";

const DEFAULT_SESSIONS = 20;

export const command: Command = {
  about:
    "Lists each session with the prompts that led to it. Also finds uses of a command or an MCP " +
    "server. Name a file by its path or the end of its path.",
  arguments: [{ name: "[path]", about: "a file that was read, written or edited" }],
  options: [
    ...FILTER_OPTIONS,
    { flags: "--oldest", about: "list the oldest sessions first" },
    {
      flags: "-n, --limit <count>",
      about: `show at most this many sessions (default: ${DEFAULT_SESSIONS})`,
    },
    PAGER_OPTION,
  ],
  examples: [
    { line: "uses src/hours.ts --demo", about: "sessions that read or changed this file" },
    { line: "uses --tool Read --outcome error --demo", about: "files that could not be read" },
    { line: "uses --command git --since 7d", about: "sessions that ran git this week" },
    { line: "files src/hours.ts --oldest --json", about: "oldest first, as JSON" },
  ],
  async run(context) {
    const { options, args } = context;
    const { limit = DEFAULT_SESSIONS, ...given } = filterOf(options);
    const filter = { ...given, ...optional("path", args[0]) };
    if (!isAboutCalls(filter)) {
      throw wrongUsage(
        "Nothing to look for: give a file, --tool, --command, --server or --outcome.",
      );
    }
    const direction = options.has("oldest") ? "up" : "down";
    const library = await context.library();
    const found = await library.review.uses(filter, { limit, direction });
    if (context.isJson) await writeJson(context.out, found);
    else {
      const none = found.total === 0 ? await emptyLinesOf(library, context.style) : undefined;
      const lines = none ?? usesLines(found, context);
      await paged(context, async (out) => out.write(`${lines.join("\n")}\n`));
    }
    return EXIT.ok;
  },
};
