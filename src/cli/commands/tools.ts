import type { ToolsReport } from "../../queries/tools.ts";
import type { Command } from "../command.ts";
import { EXIT } from "../exit.ts";
import { LEDGER_OPTIONS, ledgerFilterOf } from "../options/ledger.ts";
import { PAGER_OPTION, paged } from "../pager.ts";
import { emptyLines } from "../print/empty.ts";
import { writeJson } from "../print/json.ts";
import type { ToolSection } from "../print/tools.ts";
import { TOOL_SECTIONS, toolsLines } from "../print/tools.ts";

const DEFAULT_ROWS = 15;

export const command: Command = {
  about:
    "Shows how often each tool was called and how the calls ended, the commands in shell lines, " +
    "and the files that were read, written and edited.",
  options: [
    { flags: "-b, --by <section>", about: "show only this section", choices: TOOL_SECTIONS },
    ...LEDGER_OPTIONS,
    {
      flags: "-n, --limit <count>",
      about: `show at most this many rows per section (default: ${DEFAULT_ROWS})`,
    },
    PAGER_OPTION,
  ],
  examples: [
    { line: "tools", about: "the first rows of all sections" },
    { line: "tools --by shell -n 50", about: "the 50 most used commands" },
    { line: "tools --by files -p api --since 7d", about: "files touched this week in api" },
    { line: "tools --json", about: "everything, as JSON" },
  ],
  async run(context) {
    const { options, tableColumns, style } = context;
    const filter = ledgerFilterOf(context);
    const limit = options.count("limit");
    const library = await context.library();
    const report = await library.tools(filter);
    if (context.isJson) {
      await writeJson(context.out, limit === undefined ? report : limited(report, limit));
      return EXIT.ok;
    }
    if (report.coverage.read === 0) {
      const lines = emptyLines(library.roots, report.coverage, style);
      await context.out.write(`${lines.join("\n")}\n`);
      return EXIT.ok;
    }
    const section = TOOL_SECTIONS.find((item) => item === options.text("by"));
    const sections: readonly ToolSection[] = section ? [section] : TOOL_SECTIONS;
    const view = { columns: tableColumns, style, sections, limit: limit ?? DEFAULT_ROWS };
    const lines = toolsLines(report, view);
    await paged(context, async (out) => out.write(`${lines.join("\n")}\n`));
    return EXIT.ok;
  },
};

function limited(report: ToolsReport, limit: number): ToolsReport {
  const { tools, labels, categories, mcp, shell, files } = report;
  return {
    ...report,
    tools: tools.slice(0, limit),
    labels: labels.slice(0, limit),
    categories: categories.slice(0, limit),
    mcp: mcp.slice(0, limit),
    shell: shell.slice(0, limit),
    files: files.slice(0, limit),
  };
}
