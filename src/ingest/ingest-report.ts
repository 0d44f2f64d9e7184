import { addAll } from "../core/lists.ts";
import type { Diagnostic } from "../core/files/diagnostic.ts";
import { PolluxError } from "../core/error.ts";
import type { SessionFile } from "../core/files/session-file.ts";
import { holdsSession } from "../core/files/session-file.ts";
import { unreadable } from "./diagnostics.ts";
import type { BytesRead } from "./read-bytes.ts";
import type { ChangedFile } from "./scan.ts";

export interface IngestProgress {
  work: "keeping" | "reading" | "checking";
  /** Name of the agent whose files are read; absent if the work is not about files. */
  agent?: string;
  doneBytes: number;
  totalBytes: number;
  doneFiles: number;
  totalFiles: number;
}

/** The result of ingesting one root. */
export interface IngestReport {
  root: string;
  /** All files: those of sessions, saved chats, prompt logs, spilled outputs. */
  found: number;
  foundSessionFiles: number;
  /** Files already kept: same size and times, or read and found equal. */
  unchanged: number;
  /** Files opened: only those that may have changed. */
  opened: number;
  added: number;
  appended: number;
  replaced: number;
  gone: number;
  /** New bytes. */
  bytes: number;
  sessions: number;
  /** Paths of files whose current content is not kept: unreadable, or changed since. */
  unkept: string[];
  diagnostics: Diagnostic[];
}

export function emptyReport(root: string, files: readonly SessionFile[] = []): IngestReport {
  const counts = { unchanged: 0, opened: 0, added: 0, appended: 0, replaced: 0, gone: 0, bytes: 0 };
  const found = { found: files.length, foundSessionFiles: files.filter(holdsSession).length };
  return { root, ...found, ...counts, sessions: 0, unkept: [], diagnostics: [] };
}

export function countRead(
  report: IngestReport,
  { content }: BytesRead,
  { known }: ChangedFile,
): void {
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

/** Adds the report of a second thread. */
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

/**
 * A read error becomes a diagnostic of the file; an error of the store concerns all files and is
 * thrown.
 */
export function addUnreadable(report: IngestReport, path: string, error: unknown): void {
  if (error instanceof PolluxError && error.code !== "archive-damaged") throw error;
  report.diagnostics.push(unreadable(path, error));
}
