import { sources } from "../../sources/index.ts";
import type { OptionSpec } from "../command.ts";
import type { Options } from "./options.ts";
import { wrongUsage } from "./options.ts";

const NAMES: readonly string[] = sources.flatMap(({ id, aliases }) => [id, ...aliases]);

/** Which agent's sessions are meant; both names mean the same. */
export const AGENT_OPTIONS: readonly OptionSpec[] = [
  { flags: "--agent <name>", about: "of this agent", choices: NAMES },
  { flags: "--source <name>", about: "the same as --agent", choices: NAMES },
];

export function agentOf(options: Options): string | undefined {
  const [agent, source] = [options.text("agent"), options.text("source")];
  if (agent !== undefined && source !== undefined && agent !== source) {
    throw wrongUsage("--agent and --source mean the same, and say different things.");
  }
  return agent ?? source;
}
