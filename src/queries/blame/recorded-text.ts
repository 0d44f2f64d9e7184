import type { EditedPart } from "../../core/session/file-edit.ts";

/**
 * What a file was after its last recorded edit, from the first edit to the last; nothing when the
 * record does not tell: a whole text is needed to begin with, and each edit has to fit.
 */
export function recordedText(parts: readonly EditedPart[]): string | undefined {
  let text: string | undefined;
  for (const part of parts) text = edited(text, part);
  return text;
}

function edited(
  text: string | undefined,
  { extent, before = "", after, times }: EditedPart,
): string | undefined {
  if (extent === "whole") return plain(after);
  if (text === undefined || before === "") return undefined;
  const around = text.split(plain(before));
  const isFound = around.length === 2 || (around.length > 2 && times === "all");
  return isFound ? around.join(plain(after)) : undefined;
}

/** Line ends are told as one character. */
function plain(text: string): string {
  return text.replaceAll("\r\n", "\n");
}
