import type { Place } from "./place.ts";
import type { Project } from "./project.ts";

/** What was typed in a session, kept apart from the session itself; it outlives deletion. */
export interface PromptLog {
  sessionId: string;
  source: string;
  project: Project;
  prompts: LoggedPrompt[];
  files: string[];
}

/** A prompt is logged when it is entered, and recorded once its files are read. */
const EARLIER_MS = 1000;
const LATER_MS = 10_000;

/** Whether what was recorded may be what was logged. */
export function isSameMoment(
  recordedAt: string | undefined,
  loggedAt: string | undefined,
): boolean {
  const apart = Date.parse(recordedAt ?? "") - Date.parse(loggedAt ?? "");
  return apart >= -EARLIER_MS && apart <= LATER_MS;
}

export interface LoggedPrompt {
  text: string;
  at?: string;
  number?: number;
  place: Place;
}
