import { addAll } from "../core/lists.ts";
import type { Diagnostic } from "../core/diagnostic.ts";
import { PolluxError } from "../core/error.ts";
import type { SessionFile } from "../core/session-file.ts";
import { holdsSession } from "../core/session-file.ts";
import { unreadable } from "./diagnostics.ts";
import type { BytesRead } from "./read-bytes.ts";
import type { Changed } from "./scan.ts";

export interface IngestProgress {
  work: "keeping" | "reading" | "indexing" | "checking";
  /** Whose files are taken; absent where the work is about no files. */
  agent?: string;
  doneBytes: number;
  totalBytes: number;
  doneFiles: number;
  totalFiles: number;
}

/** What came of comparing a root with what is kept of it. */
export interface IngestReport {
  root: string;
  /** Files of sessions, and those beside them: saved chats, logs of prompts, spilled outputs. */
  found: number;
  foundSessionFiles: number;
  /** Kept as they are: by their size and times, or because they were read and are the same. */
  unchanged: number;
  /** How many files were opened: those alone that may have changed. */
  opened: number;
  added: number;
  appended: number;
  replaced: number;
  gone: number;
  /** New bytes. */
  bytes: number;
  sessions: number;
  /** Files that could not be read, or may have changed since: they are not kept as they are now. */
  unkept: string[];
  diagnostics: Diagnostic[];
}

export function emptyReport(root: string, files: readonly SessionFile[] = []): IngestReport {
  const counts = { unchanged: 0, opened: 0, added: 0, appended: 0, replaced: 0, gone: 0, bytes: 0 };
  const found = { found: files.length, foundSessionFiles: files.filter(holdsSession).length };
  return { root, ...found, ...counts, sessions: 0, unkept: [], diagnostics: [] };
}

export function countRead(report: IngestReport, { content }: BytesRead, { known }: Changed): void {
  report.opened += 1;
  if (!content) {
    report.unchanged += 1;
    return;
  }
  const { how, sizeBytes } = content;
  report.bytes += how === "appended" ? sizeBytes - (known?.sizeBytes ?? 0) : sizeBytes;
  if (how === "appended") report.appended += 1;
  else report[known ? "replaced" : "added"] += 1;
}

/** Puts together what two threads have done. */
export function addReport(report: IngestReport, more: IngestReport): void {
  const counts = [
    "unchanged",
    "opened",
    "added",
    "appended",
    "replaced",
    "bytes",
    "sessions",
  ] as const;
  for (const count of counts) report[count] += more[count];
  addAll(report.diagnostics, more.diagnostics);
}

/** What the disk refuses is told of the file; what the store refuses concerns all of them. */
export function addUnreadable(report: IngestReport, path: string, error: unknown): void {
  if (error instanceof PolluxError && error.code !== "archive-damaged") throw error;
  report.diagnostics.push(unreadable(path, error));
}
