import type { FileRole } from "../core/files/session-file.ts";

/** Roles of files that are read; files with other roles are kept because these depend on them. */
export const READABLE_ROLES: readonly FileRole[] = [
  "main",
  "subagent",
  "set-aside",
  "totals",
  "saved-chat",
  "prompt-log",
];
