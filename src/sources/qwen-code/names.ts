import { originalPath } from "../../core/files/session-file.ts";
import type { SessionFile } from "../../core/files/session-file.ts";
import { projectSlug } from "../decoding/project-slug.ts";

/** Returns the name of a file without its extension. */
export function stemOf(file: Pick<SessionFile, "path" | "replaced">): string {
  const name = originalPath(file).split(/[\\/]/).at(-1) ?? file.path;
  return name.replace(/\.jsonl?$/, "");
}

/** Returns Qwen Code's folder name for a directory; several directories may share one. */
export function slugOf(path: string, platform?: NodeJS.Platform): string {
  return projectSlug(platform === "win32" ? path.toLowerCase() : path);
}
