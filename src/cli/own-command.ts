import { join, resolve } from "node:path";
import type { Context } from "./command.ts";
import { findOnPath } from "./on-path.ts";

/**
 * How this program is called from elsewhere: by its name where a shell finds it, or its path; on
 * the same roots and the same archive, wherever and with whatever environment that is.
 */
export function ownCommand({ env, options }: Pick<Context, "env" | "options">): string {
  const archive = options.text("archive");
  const home = env["POLLUX_HOME"];
  const archivePath = archive ?? (home ? join(home, "archive.db") : undefined);
  const given = [
    ...options.list("root").flatMap((root) => ["--root", quoted(resolve(root))]),
    ...(archivePath === undefined ? [] : ["--archive", quoted(resolve(archivePath))]),
  ];
  return [nameOf(env), ...given].join(" ");
}

function nameOf(env: Context["env"]): string {
  if (findOnPath("pollux", env) !== undefined) return "pollux";
  const [node = "node", script = "pollux"] = process.argv;
  return `${quoted(node)} ${quoted(script)}`;
}

function quoted(path: string): string {
  return /^[\w./:@+-]+$/.test(path) ? path : `"${path.replaceAll('"', '\\"')}"`;
}
