import type { Diagnostic } from "../core/diagnostic.ts";
import { PolluxError } from "../core/error.ts";
import type { Changed } from "./changed.ts";
import type { Home } from "./gather.ts";
import { unreadable } from "./read.ts";
import type { Taken } from "./take-bytes.ts";

export type Progress = (doneBytes: number, totalBytes: number) => void;

/** What came of comparing a root with what is kept of it. */
export interface TookIn {
  root: string;
  found: number;
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
  diagnostics: Diagnostic[];
}

export function nothingTaken({ root, files }: Pick<Home, "root" | "files">): TookIn {
  const counts = { unchanged: 0, opened: 0, added: 0, appended: 0, replaced: 0, gone: 0, bytes: 0 };
  return { root: root.path, found: files.length, ...counts, sessions: 0, diagnostics: [] };
}

export function countTaken(took: TookIn, { how, content }: Taken, { known }: Changed): void {
  took.opened += 1;
  took.bytes += content?.sizeBytes ?? 0;
  if (how === "appended") took.appended += 1;
  else if (how === "whole") took[known ? "replaced" : "added"] += 1;
}

/** Puts together what two threads have done. */
export function addTook(took: TookIn, more: TookIn): void {
  const counts = ["opened", "added", "appended", "replaced", "bytes"] as const;
  for (const count of counts) took[count] += more[count];
  took.diagnostics.push(...more.diagnostics);
}

/** What the disk refuses is told of the file; what the archive refuses concerns all of them. */
export function tellUnreadable(took: TookIn, path: string, error: unknown): void {
  if (error instanceof PolluxError && error.code !== "archive-damaged") throw error;
  took.diagnostics.push(unreadable(path, error));
}
