import { optional } from "../../core/optional.ts";
import type { HandoverOptions } from "../../library/handover.ts";
import { sources } from "../../sources/index.ts";
import type { OptionSpec } from "../command.ts";
import type { Options } from "./options.ts";
import { wrongUsage } from "./options.ts";
import { shortAgent } from "../print/agent.ts";
import { placeOf } from "./restore.ts";

/** Agents that sessions can be handed over to, with all their names. */
export const TAKERS: readonly string[] = sources
  .filter(({ abilities }) => abilities.handover !== undefined)
  .flatMap(({ id, aliases }) => [...aliases, id]);

/** The second such agent, for examples. */
export const ANOTHER: string =
  sources.filter(({ abilities }) => abilities.handover).map(({ id }) => shortAgent(id))[1] ?? "";

/** Options for the target of a handover. */
export const TARGET_OPTIONS: readonly OptionSpec[] = [
  {
    flags: "--project <path>",
    about: "the directory to go on in; the session's by default",
    completes: "folder",
  },
  {
    flags: "--into <folder>",
    about: "the agent's own folder, when it is not the usual one",
    completes: "folder",
  },
  {
    flags: "--for <version>",
    about: "for this version of the agent; the installed one by default",
  },
];

/** Options for how much is handed over; shared with `resume --in`. */
export const CARRY_OPTIONS: readonly OptionSpec[] = [
  {
    flags: "--tools <form>",
    about: "tool calls as the agent's own (native, the default) or told in the answers (as-text)",
    choices: ["native", "as-text"],
  },
  { flags: "--from <message>", about: "only from this message on" },
  {
    flags: "--fit <tokens>",
    about: "at most about so many: old outputs are shortened, then the middle is left out",
  },
  { flags: "--with-secrets", about: "leave secrets as they are; by default they are masked" },
];

export function handoverOf(options: Options, to: string, now: Date): HandoverOptions {
  if (options.has("demo") && !options.has("dryRun")) {
    throw wrongUsage("The demo is only looked at.", { remedy: "Add --dry-run." });
  }
  return {
    to,
    ...placeOf(options, now),
    tools: options.text("tools") === "as-text" ? "as-text" : "native",
    ...optional("fromMessageId", options.text("from")),
    ...optional("fitTokens", options.count("fit")),
    masking: options.has("withSecrets") ? "plain" : "masked",
    writes: options.has("dryRun") ? "dry-run" : "really",
  };
}
