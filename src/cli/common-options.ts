import type { OptionSpec } from "./command.ts";

/** Options of every command; they may stand before and after its name. */
export const COMMON_OPTIONS: readonly OptionSpec[] = [
  {
    flags: "--root <folder>",
    about: "read this folder instead of the usual places (repeatable)",
    isRepeatable: true,
    completes: "folder",
  },
  { flags: "--demo", about: "read the sessions that come along with Pollux" },
  { flags: "--json", about: "print one JSON document" },
  { flags: "--no-color", about: "print without colours" },
];
