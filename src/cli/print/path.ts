import { homedir } from "node:os";
import { sep } from "node:path";
import { safeLine } from "./safe.ts";

/** A path for display, with `~` for the home folder. */
export function homePath(path: string): string {
  const home = homedir();
  const isInside = home.length > 1 && path.startsWith(home + sep);
  return safeLine(isInside ? `~${path.slice(home.length)}` : path);
}
