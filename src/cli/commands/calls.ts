import { optional } from "../../core/optional.ts";
import type { CallRecord } from "../../queries/usage/calls.ts";
import { ARITHMETICS } from "../../queries/usage/calls.ts";
import type { Command, Context } from "../command.ts";
import { EXIT } from "../exit.ts";
import { LEDGER_OPTIONS, ledgerFilterOf, MONEY_OPTIONS, moneyFormatOf } from "../options/ledger.ts";
import { callColumns } from "../print/calls.ts";
import { jsonLine } from "../print/json.ts";
import { tableLines } from "../print/table.ts";

const DEFAULT_ROWS = 50;

export const command: Command = {
  about:
    "Also shows its prompt, tools and shell commands. With --json, each line is a JSON object.",
  options: [
    ...LEDGER_OPTIONS,
    {
      flags: "--arithmetic <name>",
      about: "count tool-use prompts as input (ledger) or as output (seed)",
      choices: ARITHMETICS,
    },
    {
      flags: "-n, --limit <count>",
      about: `show at most this many (without --json: the newest ${DEFAULT_ROWS})`,
    },
    ...MONEY_OPTIONS,
  ],
  examples: [
    { line: "calls --since today", about: "today's replies" },
    { line: "calls --session latest", about: "the latest session's replies" },
    { line: "calls --json > calls.jsonl", about: "all replies, one JSON object per line" },
  ],
  async run(context) {
    const { options } = context;
    const arithmetic = ARITHMETICS.find((item) => item === options.text("arithmetic"));
    const query = { ...ledgerFilterOf(context), ...optional("arithmetic", arithmetic) };
    const limit = options.count("limit");
    const library = await context.library();
    const calls = library.calls(query);
    if (!context.isJson) {
      await printTable(context, calls, limit ?? DEFAULT_ROWS);
      const { prices } = await library.usage();
      await context.out.line(context.style.dim(`prices: ${prices.source}, ${prices.date}`));
      return EXIT.ok;
    }
    let count = 0;
    for await (const call of calls) {
      if (limit !== undefined && count >= limit) break;
      await context.out.line(jsonLine(call));
      count += 1;
    }
    return EXIT.ok;
  },
};

async function printTable(
  context: Context,
  calls: AsyncIterable<CallRecord>,
  limit: number,
): Promise<void> {
  const { tableColumns: columns, style, out } = context;
  const all: CallRecord[] = [];
  for await (const call of calls) all.push(call);
  const rows = all.toSorted(byNewest).slice(0, limit);
  const more = all.length - rows.length;
  if (rows.length === 0) return out.line("No requests in this period.");
  const table = callColumns(context, moneyFormatOf(context));
  for (const line of tableLines(rows, table, { columns, style })) await out.line(line);
  if (more > 0) await out.line(style.dim(`… ${more} more: use --limit, or --json for all`));
}

function byNewest(a: CallRecord, b: CallRecord): number {
  return Date.parse(b.timestamp ?? "") - Date.parse(a.timestamp ?? "") || 0;
}
