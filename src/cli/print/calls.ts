import type { CallRecord } from "../../queries/usage/calls.ts";
import { exact, moment } from "./figures.ts";
import type { MoneyFormat } from "./money.ts";
import { safeLine } from "./safe.ts";
import { shortId } from "./session-list.ts";
import type { Style } from "./style.ts";
import type { Column } from "./table.ts";

export function callColumns(
  { now, style }: { now: Date; style: Style },
  money: MoneyFormat,
): Column<CallRecord>[] {
  return [
    { title: "when", text: ({ timestamp }) => moment(timestamp, now) },
    {
      title: "session",
      text: ({ session_id: id }) => shortId(id),
      paint: (text) => style.cyan(text),
    },
    { title: "model", text: ({ model }) => safeLine(model ?? "–"), least: 12, most: 26, rank: 3 },
    { title: "input", text: (call) => exact(call.input_tokens), align: "right" },
    { title: "cached", text: (call) => exact(call.cached_input_tokens), align: "right" },
    { title: "output", text: (call) => exact(call.output_tokens), align: "right" },
    { title: "cost", text: (call) => costOf(call, money), align: "right" },
    { title: "tools", text: toolsOf, least: 8, most: 32, rank: 2 },
    { title: "asked", text: (call) => safeLine(call.user_message ?? ""), least: 16, rank: 4 },
  ];
}

function costOf({ cost_micro_usd: micro }: CallRecord, money: MoneyFormat): string {
  return micro === null ? "unpriced" : money.text(micro);
}

/** Labels of tools; shell calls are replaced by their commands. */
function toolsOf({ tools, bash_commands: commands }: CallRecord): string {
  const others = commands.length > 0 ? tools.filter((label) => label !== "Bash") : tools;
  return safeLine([...new Set([...others, ...commands])].join(" "));
}
