const OPENING = "<state_snapshot>";

/** Formats a summary so that Gemini CLI and its descendants recognise it. */
export function stateSnapshot(summary: string): string {
  return summary.startsWith(OPENING) ? summary : `${OPENING}\n${summary}\n</state_snapshot>`;
}
