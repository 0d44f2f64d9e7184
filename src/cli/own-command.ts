import type { Context } from "./command.ts";
import { findOnPath } from "./on-path.ts";

/** How this program is called from elsewhere: by its name where a shell finds it, or its path. */
export function ownCommand({ env }: Pick<Context, "env">): string {
  if (findOnPath("pollux", env) !== undefined) return "pollux";
  const [node = "node", script = "pollux"] = process.argv;
  return `${quoted(node)} ${quoted(script)}`;
}

function quoted(path: string): string {
  return /^[\w./:@+-]+$/.test(path) ? path : `"${path.replaceAll('"', '\\"')}"`;
}
