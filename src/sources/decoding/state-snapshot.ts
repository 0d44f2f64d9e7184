const OPENING = "<state_snapshot>";

/** A summary as Gemini CLI and its descendants know it again. */
export function stateSnapshot(summary: string): string {
  return summary.startsWith(OPENING) ? summary : `${OPENING}\n${summary}\n</state_snapshot>`;
}
