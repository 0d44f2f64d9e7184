import { readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Restoration, RestoreRequest } from "../../source.ts";

/**
 * Subagents' sessions are in a folder named after their parent (0.37+):
 *
 *     tmp/<project>/chats/<session id>/<agent id>.jsonl
 *
 * Recorded texts name a spilled output by its path, so it is restored to the same path below the
 * project folder, whatever the session's new id.
 */
export function companionsIn(
  project: string,
  { companions, id }: { companions: RestoreRequest["companions"]; id: string },
): Restoration["companions"] {
  return companions.flatMap((from) => {
    if (from.role === "subagent") {
      return [{ from, path: join(project, "chats", id, basename(from.path)) }];
    }
    const below = segmentsBelow(from.path, from.folder);
    return from.role === "spill" && below ? [{ from, path: join(project, ...below) }] : [];
  });
}

/** `…/tmp/<folder>/tool-outputs/session-1/x.txt` → `tool-outputs`, `session-1`, `x.txt` */
function segmentsBelow(path: string, folder: string): string[] | undefined {
  const segments = path.split(/[\\/]/);
  const at = segments.findLastIndex(
    (segment, index) => segment === folder && segments[index - 1] === "tmp",
  );
  const below = segments.slice(at + 1);
  return at === -1 || below.includes("..") ? undefined : below;
}

/**
 * Returns files that a deletion removes together with this one. Since 0.36 these are all files with
 * the same eight characters at the end of their names: remains of the same session, or other
 * sessions whose ids begin alike.
 */
export function siblingsOf(path: string, id: string): string[] {
  const folder = dirname(path);
  const isAlike = (name: string): boolean => {
    return name.replace(/\.jsonl?$/, "").endsWith(`-${id.slice(0, 8)}`);
  };
  return sessionsIn(folder)
    .filter((name) => name !== basename(path) && isAlike(name))
    .map((name) => join(folder, name));
}

function sessionsIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => /^session-.*\.jsonl?$/.test(name))
      .toSorted();
  } catch {
    // No session was recorded for this project yet.
    return [];
  }
}
