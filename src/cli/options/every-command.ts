import type { OptionSpec } from "../command.ts";

/** Options of every command, allowed before and after its name. */
export const COMMON_OPTIONS: readonly OptionSpec[] = [
  {
    flags: "--root <folder>",
    about: "read this folder instead of the default ones (repeatable)",
    isRepeatable: true,
    completes: "folder",
  },
  {
    flags: "--archive <path>",
    about: "use this archive instead of the default one",
    completes: "file",
  },
  {
    flags: "--store <address>",
    about: "use this PostgreSQL database (postgres://…) instead of an archive",
  },
  {
    flags: "--bytes <place>",
    about: "with --store: store files in this folder or bucket (s3://…), not in the database",
    completes: "folder",
  },
  {
    flags: "--owner <who>",
    about: "with a team's --store: read this person's sessions; they are notified",
  },
  {
    flags: "--reason <text>",
    about: "with --owner: the reason, which is recorded and shown to them",
  },
  { flags: "--no-refresh", about: "answer from the archive without checking the disk for changes" },
  { flags: "--fresh", about: "answer directly from disk, without the archive" },
  { flags: "--demo", about: "use the demo sessions that come with Pollux" },
  { flags: "--json", about: "print one JSON document" },
  { flags: "--width <columns>", about: "output width; without it, piped tables are not cut" },
  { flags: "--no-color", about: "print without colours" },
];
