import type { RecordedMessage } from "../../core/session/message.ts";
import type { Place } from "../../core/files/place.ts";

/** One record of a file, in file order, before interpretation. */
export type Entry =
  | { kind: "header"; place: Place; facts: Facts }
  | { kind: "facts"; place: Place; facts: Facts }
  | { kind: "message"; place: Place; message: RecordedMessage }
  | { kind: "rewrite"; place: Place; messages: RecordedMessage[] }
  | { kind: "rewind"; place: Place; toId: string }
  | { kind: "unknown"; place: Place; keys: string[] };

/** Facts that a file records about its session as a whole. */
export interface Facts {
  sessionId?: string;
  projectHash?: string;
  startedAt?: string;
  updatedAt?: string;
  kind?: "main" | "subagent";
  summary?: string;
  directories?: string[];
  /** Set on the first line of an imported session. */
  isImport?: boolean;
}

/** Receives entries in file order. */
export interface EntrySink {
  entry(entry: Entry): void;
}
