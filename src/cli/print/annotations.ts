import type { UserAnnotations } from "../../core/session/annotation.ts";
import { safeBlock, safeLine } from "./safe.ts";

export const STAR = "★";

/** `★ #later "Title" note`; the note may have several lines. */
export function ownText({ isStarred, tags, title, note }: UserAnnotations): string {
  const parts = [
    ...(isStarred ? [STAR] : []),
    ...tags.map((tag) => `#${safeLine(tag)}`),
    ...(title === null ? [] : [`"${safeLine(title)}"`]),
    ...(note === null ? [] : [safeBlock(note)]),
  ];
  return parts.join(" ");
}
