import { optional } from "../../core/optional.ts";
import type { SessionFilter } from "../../core/filter.ts";
import { KINDS } from "../../core/filter.ts";
import { TOOL_OUTCOMES } from "../../core/tool-call.ts";
import { STATUSES } from "../../core/summary.ts";
import { AGENT_OPTIONS, agentOf } from "./agent.ts";
import type { OptionSpec } from "../command.ts";
import type { Options } from "./options.ts";
import { wrongUsage } from "./options.ts";

/** Options that filter sessions. */
export const FILTER_OPTIONS: readonly OptionSpec[] = [
  { flags: "-p, --project <name>", about: "of projects whose name or path has this part" },
  { flags: "-s, --since <when>", about: "active since: 2026-11-15, 7d, 12h, today, yesterday" },
  { flags: "-u, --until <when>", about: "begun until then; a day counts to its end" },
  { flags: "-m, --model <name>", about: "answered by models whose name has this part" },
  { flags: "--status <status>", about: "ended like this", choices: STATUSES },
  { flags: "--kind <kind>", about: "of this kind", choices: KINDS },
  ...AGENT_OPTIONS,
  { flags: "--tag <tag>", about: "with this tag of yours" },
  { flags: "--starred", about: "that you have starred" },
  { flags: "--tool <name>", about: "with a call of this tool, as `pollux tools` names it" },
  { flags: "--command <name>", about: "with this command in a shell's line" },
  { flags: "--server <name>", about: "with a call to this MCP server" },
  { flags: "--outcome <outcome>", about: "with a call that ended so", choices: TOOL_OUTCOMES },
  { flags: "--path <path>", about: "with a call that touched this file", completes: "file" },
];

export const LIMIT_OPTION: OptionSpec = {
  flags: "-n, --limit <count>",
  about: "at most so many, the newest",
};

/** Filters by a person's own tags and stars. */
export function ownFilterOf(options: Options): Pick<SessionFilter, "tag" | "star"> {
  const star = options.has("starred") ? ({ star: "starred" } as const) : {};
  return { ...optional("tag", options.text("tag")), ...star };
}

export function filterOf(options: Options): SessionFilter {
  const outcome = TOOL_OUTCOMES.find((item) => item === options.text("outcome"));
  const filter = {
    ...optional("project", options.text("project")),
    ...optional("sinceMs", options.since("since")),
    ...optional("untilMs", options.until("until")),
    ...optional("model", options.text("model")),
    ...optional("status", options.text("status")),
    ...optional("kind", options.text("kind")),
    ...optional("source", agentOf(options)),
    ...ownFilterOf(options),
    ...optional("tool", options.text("tool")),
    ...optional("command", options.text("command")),
    ...optional("server", options.text("server")),
    ...optional("outcome", outcome),
    ...optional("path", options.text("path")),
    ...optional("limit", options.count("limit")),
  };
  const { sinceMs, untilMs } = filter;
  if (sinceMs !== undefined && untilMs !== undefined && sinceMs >= untilMs) {
    throw wrongUsage("--since lies after --until: nothing can be in between.");
  }
  return filter;
}
