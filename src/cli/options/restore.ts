import { wrongUsage } from "../../core/error.ts";
import { isAbsolute, resolve } from "node:path";
import { optional } from "../../core/optional.ts";
import type { RestoreOptions } from "../../library/restore.ts";
import type { OptionSpec } from "../command.ts";
import type { Options } from "./options.ts";

/** Options for the target of a session; shared by `restore` and `resume`. */
export const PLACE_OPTIONS: readonly OptionSpec[] = [
  {
    flags: "--into <folder>",
    about: "the agent's folder to restore into (default: where it was found)",
    completes: "folder",
  },
  {
    flags: "--project <path>",
    about: "the session's project directory, if it is unknown or should be another",
    completes: "folder",
  },
  { flags: "--for <version>", about: "write for this version of the agent, such as 0.38" },
];

/** Options that select a version of a session. */
export const STATE_OPTIONS: readonly OptionSpec[] = [
  { flags: "--version <number>", about: "restore this version; --versions lists them" },
  {
    flags: "--as-of <when>",
    about: "restore the state at this time: 2026-11-15, 2026-11-15T09:30, 7d, yesterday",
  },
  { flags: "--at <message>", about: "restore the state right after this message" },
];

export function placeOf(options: Options, now: Date): RestoreOptions {
  const project = options.text("project");
  if (project === "") throw wrongUsage("--project takes the path of a directory.");
  return {
    nowMs: now.getTime(),
    ...optional("into", resolved(options.text("into"))),
    ...optional("projectPath", resolved(project)),
    ...optional("forVersion", options.text("for")),
  };
}

export function stateOf(
  options: Options,
): Pick<RestoreOptions, "version" | "asOfMs" | "at" | "id" | "writes" | "existing"> {
  const version = options.count("version");
  const asOfMs = options.until("asOf");
  if (version !== undefined && asOfMs !== undefined) {
    throw wrongUsage("--version and --as-of cannot be combined.");
  }
  if (options.has("replace") && options.has("newId")) {
    throw wrongUsage("--replace and --new-id cannot be combined: a copy replaces nothing.");
  }
  return {
    ...optional("version", version),
    ...optional("asOfMs", asOfMs),
    ...optional("at", options.text("at")),
    id: options.has("newId") ? "new" : "same",
    writes: options.has("dryRun") ? "dry-run" : "really",
    existing: options.has("replace") ? "is-replaced" : "stays",
  };
}

/** Leaves paths of another system (a restored Windows home) unchanged. */
function resolved(path: string | undefined): string | undefined {
  if (path === undefined || isAbsolute(path) || /^[A-Za-z]:[\\/]/.test(path)) return path;
  return resolve(path);
}
