import { join, resolve } from "node:path";
import type { Context } from "./command.ts";
import { findOnPath } from "../kernel/on-path.ts";

/**
 * The command line that runs this program from elsewhere: by name if it is on the PATH, otherwise
 * by its path; with the same roots and archive, whatever the directory and environment.
 */
export function ownArguments({ env, options }: Pick<Context, "env" | "options">): string[] {
  const archive = options.text("archive");
  const home = env["POLLUX_HOME"];
  const archivePath = archive ?? (home ? join(home, "archive.db") : undefined);
  return [
    ...programOf(env),
    ...options.list("root").flatMap((root) => ["--root", resolve(root)]),
    ...(archivePath === undefined ? [] : ["--archive", resolve(archivePath)]),
  ];
}

/** The same, quoted for a shell. */
export function ownCommand(context: Pick<Context, "env" | "options">): string {
  return ownArguments(context).map(quoted).join(" ");
}

function programOf(env: Context["env"]): string[] {
  if (findOnPath("pollux", env) !== undefined) return ["pollux"];
  const [node = "node", script = "pollux"] = process.argv;
  return [node, script];
}

function quoted(path: string): string {
  return /^[\w./:@+-]+$/.test(path) ? path : `"${path.replaceAll('"', '\\"')}"`;
}
