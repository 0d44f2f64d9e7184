import type { Picture } from "../../core/session/conversation.ts";

/** The text of a file with one record per line. */
export function jsonLines(records: readonly object[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join("");
}

/** A picture as Gemini CLI and its descendants record it. */
export function picturePart({ mediaType, data }: Picture): Record<string, unknown> {
  return { inlineData: { mimeType: mediaType, data } };
}

const OPENING = "<state_snapshot>";

/** Formats a summary so that Gemini CLI and its descendants recognise it. */
export function stateSnapshot(summary: string): string {
  return summary.startsWith(OPENING) ? summary : `${OPENING}\n${summary}\n</state_snapshot>`;
}
