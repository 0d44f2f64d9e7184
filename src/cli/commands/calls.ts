import { optional } from "../../core/optional.ts";
import type { Library } from "../../library/library.ts";
import type { CallRecord, CallsQuery } from "../../queries/usage/calls.ts";
import { ARITHMETICS } from "../../queries/usage/calls.ts";
import type { Command, Context } from "../command.ts";
import { EXIT } from "../exit.ts";
import { LEDGER_OPTIONS, ledgerFilterOf, MONEY_OPTIONS, moneyFormatOf } from "../options/ledger.ts";
import { callColumns } from "../print/calls.ts";
import { emptyLinesOf } from "../print/empty.ts";
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
    if (!context.isJson) {
      const lines = await tableOf(library, { ...query, limit: limit ?? DEFAULT_ROWS }, context);
      for (const line of lines) await context.out.line(line);
      return EXIT.ok;
    }
    let count = 0;
    for await (const call of library.calls(query)) {
      if (limit !== undefined && count >= limit) break;
      await context.out.line(jsonLine(call));
      count += 1;
    }
    return EXIT.ok;
  },
};

async function tableOf(
  library: Library,
  { limit, ...query }: CallsQuery & { limit: number },
  context: Context,
): Promise<string[]> {
  const { tableColumns: columns, style } = context;
  const all: CallRecord[] = [];
  for await (const call of library.calls(query)) all.push(call);
  if (all.length === 0) {
    return (await emptyLinesOf(library, style)) ?? ["No requests in this period."];
  }
  const rows = all.toSorted(byNewest).slice(0, limit);
  const more = all.length - rows.length;
  const table = callColumns(context, moneyFormatOf(context));
  const { prices } = await library.usage();
  return [
    ...tableLines(rows, table, { columns, style }),
    ...(more > 0 ? [style.dim(`… ${more} more: use --limit, or --json for all`)] : []),
    style.dim(`prices: ${prices.source}, ${prices.date}`),
  ];
}

function byNewest(a: CallRecord, b: CallRecord): number {
  return Date.parse(b.timestamp ?? "") - Date.parse(a.timestamp ?? "") || 0;
}
