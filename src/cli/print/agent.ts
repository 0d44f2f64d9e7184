import { sources } from "../../sources/index.ts";
import type { Style } from "./style.ts";

/** Whether the items belong to more than one agent. */
export function hasSeveral(items: readonly { source: string }[]): boolean {
  return new Set(items.map(({ source }) => source)).size > 1;
}

export function agentName(source: string): string {
  return sources.find(({ id }) => id === source)?.name ?? source;
}

/** The shortest name that the command line accepts: `claude`. */
export function shortAgent(source: string): string {
  const known = sources.find(({ id }) => id === source);
  return known?.aliases[0] ?? source;
}

/** The colour of an agent, the same in all lists. */
export function paintAgent(source: string, style: Style): (text: string) => string {
  const colours = ["cyan", "yellow", "green", "magenta", "blue"] as const;
  const at = Math.max(
    0,
    sources.findIndex(({ id }) => id === source),
  );
  return (text) => style[colours[at % colours.length] ?? "dim"](text);
}
