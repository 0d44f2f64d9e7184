import { readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Restoration, RestoreRequest } from "../../source.ts";

/**
 * Agents' sessions lie in a folder named by their parent (0.37+):
 *
 *     tmp/<project>/chats/<session id>/<agent id>.jsonl
 *
 * The recorded text names a spilled output by its path: it goes back to the same place below the
 * project folder, whatever the session is called now.
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
 * Since 0.36 a deletion takes along every file with the same eight characters at the end of its
 * name: a leftover of the same session, or another session whose id begins alike.
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
    // Nothing was recorded for this project yet.
    return [];
  }
}
