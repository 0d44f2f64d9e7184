import { sources } from "../sources/index.ts";
import type { OptionSpec } from "./command.ts";
import type { Options } from "./options.ts";
import { wrongUsage } from "./options.ts";
import type { Style } from "./print/style.ts";

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

/** Whether there is more than one agent to tell apart. */
export function hasSeveral(items: readonly { source: string }[]): boolean {
  return new Set(items.map(({ source }) => source)).size > 1;
}

export function agentName(source: string): string {
  return sources.find(({ id }) => id === source)?.name ?? source;
}

/** The shortest name that the command line knows: `claude`. */
export function shortAgent(source: string): string {
  const known = sources.find(({ id }) => id === source);
  return known?.aliases[0] ?? source;
}

/** Every agent has its colour, the same in all lists. */
export function paintAgent(source: string, style: Style): (text: string) => string {
  const colours = ["cyan", "yellow", "green", "magenta"] as const;
  const at = Math.max(
    0,
    sources.findIndex(({ id }) => id === source),
  );
  return (text) => style[colours[at % colours.length] ?? "dim"](text);
}
