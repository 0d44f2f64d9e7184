import type { OptionSpec } from "../command.ts";

/** Options of every command, allowed before and after its name. */
export const COMMON_OPTIONS: readonly OptionSpec[] = [
  {
    flags: "--root <folder>",
    about: "read this folder instead of the usual places (repeatable)",
    isRepeatable: true,
    completes: "folder",
  },
  {
    flags: "--archive <path>",
    about: "keep and answer from this archive instead of the usual one",
    completes: "file",
  },
  {
    flags: "--store <address>",
    about: "keep and answer from this PostgreSQL (postgres://…) instead of an archive",
  },
  {
    flags: "--bytes <place>",
    about: "with --store: bytes go to this folder or bucket (s3://…), not into the database",
    completes: "folder",
  },
  {
    flags: "--owner <who>",
    about: "with --store: on a team's store, whose sessions; recorded, and told to them",
  },
  { flags: "--reason <text>", about: "with --owner: why you look at them" },
  { flags: "--no-refresh", about: "answer from the archive without a look at the disk" },
  { flags: "--fresh", about: "answer straight from the disk, without the archive" },
  { flags: "--demo", about: "read the sessions that come along with Pollux" },
  { flags: "--json", about: "print one JSON document" },
  { flags: "--width <columns>", about: "print so wide; piped tables are not cut otherwise" },
  { flags: "--no-color", about: "print without colours" },
];
