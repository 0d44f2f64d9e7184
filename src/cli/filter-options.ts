import { optional } from "../core/optional.ts";
import type { SessionFilter } from "../core/filter.ts";
import { KINDS } from "../core/filter.ts";
import { STATUSES } from "../core/summary.ts";
import { AGENT_OPTIONS, agentOf } from "./agent-option.ts";
import type { OptionSpec } from "./command.ts";
import type { Options } from "./options.ts";
import { wrongUsage } from "./options.ts";

/** Options that say which sessions are meant. */
export const FILTER_OPTIONS: readonly OptionSpec[] = [
  { flags: "-p, --project <name>", about: "of projects whose name or path has this part" },
  { flags: "-s, --since <when>", about: "active since: 2026-11-15, 7d, 12h, today, yesterday" },
  { flags: "-u, --until <when>", about: "begun until then; a day counts to its end" },
  { flags: "-m, --model <name>", about: "answered by models whose name has this part" },
  { flags: "--status <status>", about: "ended like this", choices: STATUSES },
  { flags: "--kind <kind>", about: "of this kind", choices: KINDS },
  ...AGENT_OPTIONS,
];

export const LIMIT_OPTION: OptionSpec = {
  flags: "-n, --limit <count>",
  about: "at most so many, the newest",
};

export function filterOf(options: Options): SessionFilter {
  const filter = {
    ...optional("project", options.text("project")),
    ...optional("sinceMs", options.since("since")),
    ...optional("untilMs", options.until("until")),
    ...optional("model", options.text("model")),
    ...optional("status", options.text("status")),
    ...optional("kind", options.text("kind")),
    ...optional("source", agentOf(options)),
    ...optional("limit", options.count("limit")),
  };
  const { sinceMs, untilMs } = filter;
  if (sinceMs !== undefined && untilMs !== undefined && sinceMs >= untilMs) {
    throw wrongUsage("--since lies after --until: nothing can be in between.");
  }
  return filter;
}
