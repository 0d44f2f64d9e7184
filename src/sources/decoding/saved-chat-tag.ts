import { basename } from "node:path";

/** `checkpoint-my%20tag.json` → `my tag`; `checkpoint.json` has none. */
export function tagOfSavedChat(path: string): string {
  const name = basename(path)
    .replace(/^checkpoint-?/, "")
    .replace(/\.json$/, "");
  try {
    return decodeURIComponent(name);
  } catch {
    // Old versions wrote the tag as it was; a lone percent sign is one.
    return name;
  }
}
