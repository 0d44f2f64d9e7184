import { wrongUsage } from "../../core/error.ts";
import { sources } from "../../sources/index.ts";
import type { Context, OptionSpec } from "../command.ts";
import type { Options } from "./options.ts";

const NAMES: readonly string[] = sources.flatMap(({ id, aliases }) => [id, ...aliases]);

/** Filters by agent; the two options are synonyms. */
export const AGENT_OPTIONS: readonly OptionSpec[] = [
  { flags: "--agent <name>", about: "only this agent", choices: NAMES },
  { flags: "--source <name>", about: "same as --agent", choices: NAMES },
];

export function agentOf(options: Options): string | undefined {
  const [agent, source] = [options.text("agent"), options.text("source")];
  if (agent !== undefined && source !== undefined && agent !== source) {
    throw wrongUsage(
      "--agent and --source are the same option, but name different agents. Give one of them.",
    );
  }
  return agent ?? source;
}

/** The session that the argument names; with `--agent`, of that agent. */
export function namedSession(context: Context): string {
  return namedSessions(context)[0] ?? "";
}

/** All sessions that the arguments name. */
export function namedSessions({ args, options }: Pick<Context, "args" | "options">): string[] {
  const agent = agentOf(options);
  return agent === undefined ? [...args] : args.map((name) => `${agent}:${name}`);
}
