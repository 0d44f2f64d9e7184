import { PolluxError } from "../../core/error.ts";
import { sources } from "../../sources/index.ts";
import type { Context, OptionSpec } from "../command.ts";
import type { Options } from "./options.ts";
import { wrongUsage } from "./options.ts";

const NAMES: readonly string[] = sources.flatMap(({ id, aliases }) => [id, ...aliases]);

/** Filters by agent; the two options are synonyms. */
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

/**
 * The session that the argument names; with `--agent`, only sessions of that agent (for `latest`).
 */
export async function namedSession(context: Context): Promise<string> {
  const [name = ""] = context.args;
  const source = agentOf(context.options);
  if (source === undefined) return name;
  const library = await context.library();
  const { sessions } = await library.sessions({ source });
  const found =
    name === "latest"
      ? sessions.filter(({ kind, status }) => kind === "main" && status !== "stub").slice(0, 1)
      : sessions.filter(({ id }) => id.startsWith(name));
  const [first] = found.toSorted((a, b) => a.id.length - b.id.length);
  if (!first) {
    throw new PolluxError("no-such-session", `There is no session "${name}" of ${source}.`, {
      remedy: `\`pollux sessions --agent ${source}\` lists them.`,
    });
  }
  // Ids of subagents begin with their parent's; any other common prefix is ambiguous.
  return found.every(({ id }) => id.startsWith(first.id)) ? first.id : name;
}
