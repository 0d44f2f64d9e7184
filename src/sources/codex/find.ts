import { join } from "node:path";
import type { FileRole } from "../../core/files/session-file.ts";
import { FolderWalk } from "../folder-walk.ts";
import type { FoundHome, Report } from "../source.ts";
import { isRolloutName } from "./names.ts";
import { TITLES_FILE } from "./titles.ts";

/** Years, months and days; no known layout is deeper. */
const MAX_DEPTH = 5;
const PROMPT_LOG = /^history\.jsonl?$/;

/**
 * Finds all files of sessions below one root:
 *
 *     sessions/2026/11/15/rollout-<time>-<thread>.jsonl(.zst)     sessions/rollout-….json
 *     archived_sessions/rollout-….jsonl          history.jsonl, history.json, session_index.jsonl
 *
 * Credentials, settings and databases are in the same root and are never opened.
 */
export function findFiles(root: string, report: Report): FoundHome {
  const walk = new FolderWalk(root, report);
  for (const entry of walk.list(root, "ignore")) {
    const path = join(root, entry.name);
    if (entry.name === "sessions" || entry.name === "archived_sessions") {
      addSessions(walk, path, MAX_DEPTH);
    } else if (PROMPT_LOG.test(entry.name)) add(walk, path, "prompt-log");
    else if (entry.name === TITLES_FILE) add(walk, path, "evidence");
  }
  return { files: walk.files, folders: [] };
}

function addSessions(walk: FolderWalk, folder: string, depth: number): void {
  for (const entry of walk.list(folder)) {
    const path = join(folder, entry.name);
    if (walk.isFolder(folder, entry)) {
      if (depth > 1) addSessions(walk, path, depth - 1);
      else
        walk.oddName(
          path,
          "The folder is nested deeper than sessions of any known version; it was not read.",
        );
    } else if (isRolloutName(entry.name)) add(walk, path, "main");
    else if (!/^\.|\.tmp$/.test(entry.name)) {
      const message =
        "The file is in a sessions folder, but its name is not that of a session; it was not read.";
      walk.oddName(path, message);
    }
  }
}

function add(walk: FolderWalk, path: string, role: FileRole): void {
  walk.add(path, role, { folder: "", isCleaned: false });
}
