import { homedir } from "node:os";
import { sep } from "node:path";
import { safeLine } from "./safe.ts";

/** A path for people: the home folder is `~`. */
export function homePath(path: string): string {
  const home = homedir();
  const isInside = home.length > 1 && path.startsWith(home + sep);
  return safeLine(isInside ? `~${path.slice(home.length)}` : path);
}
