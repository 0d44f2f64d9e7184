import { originalPath } from "../../core/files/session-file.ts";
import { hash } from "node:crypto";
import { basename } from "node:path";
import type { SavedChat } from "../../core/session/saved-chat.ts";
import type { SessionFile } from "../../core/files/session-file.ts";

/** Describes a saved chat from its file; `salt` keeps the ids of two agents apart. */
export function savedChatIn(
  file: SessionFile,
  { source, salt = "" }: { source: string; salt?: string },
): Omit<SavedChat, "project" | "messages"> {
  const { folder, sizeBytes, modifiedMs } = file;
  const tag = tagOf(originalPath(file));
  const id = `chat-${hash("sha256", `${salt}${folder}/${tag}`, "hex").slice(0, 12)}`;
  return { id, source, tag, file: file.path, sizeBytes, modifiedMs };
}

/** `checkpoint-my%20tag.json` → `my tag`; `checkpoint.json` has no tag. */
function tagOf(path: string): string {
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
