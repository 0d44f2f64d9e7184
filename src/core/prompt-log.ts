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

export interface LoggedPrompt {
  text: string;
  at?: string;
  number?: number;
  place: Place;
}
