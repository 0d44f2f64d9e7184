import { wrongUsage } from "../../core/error.ts";
import { optional } from "../../core/optional.ts";
import type { SessionFilter } from "../../core/filter/filter.ts";
import { KINDS } from "../../core/filter/filter.ts";
import { TOOL_OUTCOMES } from "../../core/session/tool-call.ts";
import { STATUSES } from "../../core/rows/summary.ts";
import { AGENT_OPTIONS, agentOf } from "./agent.ts";
import type { OptionSpec } from "../command.ts";
import type { Options } from "./options.ts";

/** Options that filter sessions. */
export const FILTER_OPTIONS: readonly OptionSpec[] = [
  { flags: "-p, --project <name>", about: "only projects whose name or path contains this" },
  {
    flags: "-s, --since <when>",
    about: "only active since: 2026-11-15, 7d, 12h, today, yesterday",
  },
  { flags: "-u, --until <when>", about: "only started until then; a day includes its end" },
  { flags: "-m, --model <name>", about: "only with models whose name contains this" },
  { flags: "--status <status>", about: "only with this status", choices: STATUSES },
  { flags: "--kind <kind>", about: "only of this kind", choices: KINDS },
  ...AGENT_OPTIONS,
  { flags: "--tag <tag>", about: "only with this tag" },
  { flags: "--starred", about: "only starred ones" },
  { flags: "--tool <name>", about: "only with a call of this tool, as named by `pollux tools`" },
  { flags: "--command <name>", about: "only with this command in a shell line" },
  { flags: "--server <name>", about: "only with a call to this MCP server" },
  {
    flags: "--outcome <outcome>",
    about: "only with a call that ended like this",
    choices: TOOL_OUTCOMES,
  },
  { flags: "--path <path>", about: "only with a call that touched this file", completes: "file" },
];

export const LIMIT_OPTION: OptionSpec = {
  flags: "-n, --limit <count>",
  about: "show at most this many, newest first",
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
    throw wrongUsage("--since must be before --until.");
  }
  return filter;
}
