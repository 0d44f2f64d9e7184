import { basename } from "node:path";

/** `checkpoint-my%20tag.json` → `my tag`; `checkpoint.json` has no tag. */
export function tagOfSavedChat(path: string): string {
  const name = basename(path)
    .replace(/^checkpoint-?/, "")
    .replace(/\.json$/, "");
  try {
    return decodeURIComponent(name);
  } catch {
    // Old versions wrote the tag unencoded; it contains a literal percent sign.
    return name;
  }
}
