import type { Place } from "./place.ts";

/**
 * Reports content that could not be used, and why. Bad content is data, not an exception: it is
 * reported with its place and never hides its neighbours.
 *
 * - `damage`: something recorded could not be read (its bytes are lost to Pollux)
 * - `repair`: something was damaged, but its meaning was recovered
 * - `notice`: unfamiliar or unusual, but nothing is lost
 */
export interface Diagnostic {
  code: DiagnosticCode;
  severity: "damage" | "repair" | "notice";
  message: string;
  file: string;
  /** 1-based; absent if the diagnostic is about a whole file or folder. */
  line?: number;
  /** Byte range; present if the diagnostic is about a part of a file. */
  start?: number;
  end?: number;
}

export type DiagnosticCode =
  | "bad-line"
  | "bad-element"
  | "bad-message"
  | "bad-tokens"
  | "deep-value"
  | "empty-file"
  | "glued-line"
  | "invalid-utf8"
  | "line-too-long"
  | "no-session-id"
  | "nul-bytes"
  | "odd-name"
  | "odd-tokens"
  | "reader-failed"
  | "shared-id"
  | "unequal-copy"
  | "symlink-loop"
  | "torn-line"
  | "truncated-document"
  | "unknown-entry"
  | "unknown-format"
  | "unreadable-file"
  | "unreadable-folder"
  | "vanished-file"
  | "wrong-project";

export function diagnosticAt(
  place: Place,
  what: Pick<Diagnostic, "code" | "severity" | "message">,
): Diagnostic {
  return { ...what, file: place.file, line: place.line, start: place.start, end: place.end };
}
