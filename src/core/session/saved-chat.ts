import type { RecordedMessage } from "./message.ts";
import type { Project } from "./project.ts";

/** A conversation saved by hand: no ids, no times, no token counts. */
export interface SavedChat {
  /** Stable: made from root, folder and tag. */
  id: string;
  source: string;
  tag: string;
  project: Project;
  file: string;
  sizeBytes: number;
  modifiedMs: number;
  authType?: string;
  messages: RecordedMessage[];
}
