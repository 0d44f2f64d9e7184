import type { FileRole } from "../core/session-file.ts";

/** Files that are read; others are kept because something else needs them. */
export const TELLING_ROLES: readonly FileRole[] = [
  "main",
  "subagent",
  "set-aside",
  "totals",
  "saved-chat",
  "prompt-log",
];
