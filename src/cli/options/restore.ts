import { isAbsolute, resolve } from "node:path";
import { optional } from "../../core/optional.ts";
import type { RestoreOptions } from "../../library/restore.ts";
import type { OptionSpec } from "../command.ts";
import type { Options } from "./options.ts";
import { wrongUsage } from "./options.ts";

/** Options for the target of a session; shared by `restore` and `resume`. */
export const PLACE_OPTIONS: readonly OptionSpec[] = [
  {
    flags: "--into <folder>",
    about: "the agent's folder to restore into; where it was found by default",
    completes: "folder",
  },
  {
    flags: "--project <path>",
    about: "the directory that the session belongs to, when it is not known or another is meant",
    completes: "folder",
  },
  { flags: "--for <version>", about: "for this version of the agent, such as 0.38" },
];

/** Options that select a version of a session. */
export const STATE_OPTIONS: readonly OptionSpec[] = [
  { flags: "--version <number>", about: "this kept version; --versions lists them" },
  { flags: "--as-of <when>", about: "as it was then: 2026-11-15, 2026-11-15T09:30, 7d, yesterday" },
  { flags: "--at <message>", about: "as it was when this message had just been recorded" },
];

export function placeOf(options: Options, now: Date): RestoreOptions {
  const project = options.text("project");
  if (project === "") throw wrongUsage("--project wants the path of a directory.");
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
    throw wrongUsage("--version and --as-of exclude each other.");
  }
  if (options.has("replace") && options.has("newId")) {
    throw wrongUsage("--replace and --new-id exclude each other: a copy replaces nothing.");
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
