import { wrongUsage } from "../../core/error.ts";
import { optional } from "../../core/optional.ts";
import type { HandoverOptions } from "../../library/handover.ts";
import { sources } from "../../sources/index.ts";
import type { OptionSpec } from "../command.ts";
import type { Options } from "./options.ts";
import { shortAgent } from "../print/agent.ts";
import { placeOf } from "./restore.ts";

/** Agents that sessions can be handed over to, with all their names. */
export const HANDOVER_AGENTS: readonly string[] = sources
  .filter(({ abilities }) => abilities.handover !== undefined)
  .flatMap(({ id, aliases }) => [...aliases, id]);

/** The second such agent, for examples. */
export const ANOTHER: string =
  sources.filter(({ abilities }) => abilities.handover).map(({ id }) => shortAgent(id))[1] ?? "";

/** Options for the target of a handover. */
export const TARGET_OPTIONS: readonly OptionSpec[] = [
  {
    flags: "--project <path>",
    about: "project directory of the new session (default: the session's)",
    completes: "folder",
  },
  {
    flags: "--into <folder>",
    about: "the agent's folder, if it is not the default one",
    completes: "folder",
  },
  {
    flags: "--for <version>",
    about: "write for this version of the agent (default: the installed one)",
  },
];

/** Options for how much is handed over; shared with `resume --in`. */
export const CARRY_OPTIONS: readonly OptionSpec[] = [
  {
    flags: "--tools <form>",
    about:
      "write tool calls as the agent's own (native, default) or as text in the answers (as-text)",
    choices: ["native", "as-text"],
  },
  { flags: "--from <message>", about: "start with this message" },
  {
    flags: "--fit <tokens>",
    about: "limit the size: shorten old outputs, then leave out the middle",
  },
  { flags: "--with-secrets", about: "do not mask secrets" },
];

export function handoverOf(options: Options, to: string, now: Date): HandoverOptions {
  if (options.has("demo") && !options.has("dryRun")) {
    throw wrongUsage("Demo sessions cannot be handed over.", {
      remedy: "Add --dry-run to see what would be written.",
    });
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
