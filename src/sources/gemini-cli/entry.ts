import type { RecordedMessage } from "../../core/message.ts";
import type { Place } from "../../core/place.ts";

/** One recorded act, in file order: the log before it has a meaning. */
export type Entry =
  | { kind: "header"; place: Place; facts: Facts }
  | { kind: "facts"; place: Place; facts: Facts }
  | { kind: "message"; place: Place; message: RecordedMessage }
  | { kind: "rewrite"; place: Place; messages: RecordedMessage[] }
  | { kind: "rewind"; place: Place; toId: string }
  | { kind: "unknown"; place: Place; keys: string[] };

/** What a file says about its session as a whole. */
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

/** Takes entries in file order. */
export interface EntrySink {
  entry(entry: Entry): void;
}
