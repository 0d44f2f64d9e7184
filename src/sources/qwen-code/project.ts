import { hash } from "node:crypto";
import { join } from "node:path";
import { asObject } from "../decoding/fields.ts";
import { parseJsonText } from "../decoding/parse.ts";
import type { HomeView } from "../source.ts";
import { textIn } from "../view.ts";
import { directoriesIn } from "./totals.ts";

/**
 * Returns the directory whose hash is the folder name in old versions, if any file in the root
 * names it.
 */
export function pathWithHash(
  home: Pick<HomeView, "root" | "view" | "folders">,
  wanted: string,
): string | undefined {
  const paths = [...directoriesIn(home), ...trustedIn(home)];
  return paths.find((path) => sha256(path) === wanted) ?? pathsByHash(home).get(wanted);
}

function sha256(text: string): string {
  return hash("sha256", text, "hex");
}

const guessed = new WeakMap<readonly string[], ReadonlyMap<string, string>>();

/** Paths that folder names of newer versions may stand for; computed once for all old sessions. */
function pathsByHash({ folders }: Pick<HomeView, "folders">): ReadonlyMap<string, string> {
  const before = guessed.get(folders);
  if (before) return before;
  const paths = folders.flatMap((folder) => pathsOfSlug(folder));
  const byHash = new Map(paths.map((path) => [sha256(path), path]));
  guessed.set(folders, byHash);
  return byHash;
}

/** Limit of dashes in a name: each may stand for a dash or for a path separator. */
const MOST_DASHES = 8;

/** `-home-ada-my-app` may be `/home/ada/my/app` or `/home/ada/my-app`: the hash decides. */
function pathsOfSlug(slug: string): string[] {
  const [first, ...words] = slug.split("-");
  if (first !== "" || words.length === 0 || words.length > MOST_DASHES) return [];
  let paths = [`/${words[0] ?? ""}`];
  for (const word of words.slice(1)) {
    paths = paths.flatMap((path) => [`${path}/${word}`, `${path}-${word}`]);
  }
  return paths;
}

/** `trustedFolders.json`: `{"/home/ada/app": "TRUST_FOLDER"}` */
function trustedIn({ root, view }: Pick<HomeView, "root" | "view">): string[] {
  const parsed = parseJsonText(textIn(view, join(root, "trustedFolders.json")) ?? "");
  return Object.keys((parsed.isJson ? asObject(parsed.value) : undefined) ?? {});
}
