import { sources } from "../../sources/index.ts";
import type { Style } from "./style.ts";

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
  const colours = ["cyan", "yellow", "green", "magenta", "blue"] as const;
  const at = Math.max(
    0,
    sources.findIndex(({ id }) => id === source),
  );
  return (text) => style[colours[at % colours.length] ?? "dim"](text);
}
