import type { Place } from "../files/place.ts";
import type { Project } from "./project.ts";

/**
 * Prompts that an agent logs separately from the session. The log outlives the session's deletion.
 */
export interface PromptLog {
  sessionId: string;
  source: string;
  project: Project;
  prompts: LoggedPrompt[];
  files: string[];
}

/** A prompt is logged when it is entered, and recorded after its referenced files were read. */
const EARLIER_MS = 1000;
const LATER_MS = 10_000;

/** Whether a recorded and a logged prompt may be the same. */
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
