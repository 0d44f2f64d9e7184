import type { EditedPart } from "../../core/session/file-edit.ts";

/**
 * Reconstructs a file as it was after its last recorded edit. Undefined if that is impossible: the
 * edits must begin with a whole text, and each later one must apply.
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

/** Normalises line ends to one character. */
function plain(text: string): string {
  return text.replaceAll("\r\n", "\n");
}
