import type { Act } from "./acts.mjs";

export interface RestoreCase {
  name: string;
  folder: string;
  /** The recorded files. */
  root: string;
  sessionId: string;
  /** The version that recorded it, and the one that resumes it. */
  recordedBy: string;
  readBy: string;
  projectPath: string;
  forVersion?: string;
  at?: string;
  asOf?: string;
  /** For a proved case: the restored file's name, what was listed and what was sent. */
  proof?: { file: string; listed: string; sent: Act[] };
}
export declare const fixtures: string;
export declare function readCases(base?: string): RestoreCase[];
export declare function homeAt(root: string, messageId: string): string;
export declare function homeAsOf(root: string, time: string): string;
export declare function lateHome(root: string): string;
