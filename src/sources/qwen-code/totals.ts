import { statSync } from "node:fs";
import { join } from "node:path";
import type { SessionFile } from "../../core/session-file.ts";
import type { ByteSource } from "../../kernel/bytes.ts";
import type { Report } from "../source.ts";
import type { ProcessTotals } from "./content.ts";
import { readUsageRecord } from "./formats/usage-record.ts";
import { slugOf } from "./interpret/parts.ts";

/**
 * The totals of all sessions, in one file. Which of them have no session file beside it is looked
 * up on the disk: they were recorded elsewhere, not recorded, or deleted.
 */
export function readTotals(
  { root }: Pick<SessionFile, "root">,
  bytes: ByteSource,
  report: Report,
): ProcessTotals[] {
  const lines = readUsageRecord(bytes, report);
  // A root that is no longer there, or lies on another machine, says nothing of its files.
  if (!isFolder(join(root, "projects")) && !isFolder(join(root, "tmp"))) return lines;
  const without = new Map<string, boolean>();
  return lines.map((line) => {
    const { sessionId, project = "" } = line;
    const isWithoutFile = without.get(sessionId) ?? !hasFile(root, sessionId, project);
    without.set(sessionId, isWithoutFile);
    return isWithoutFile ? { ...line, isWithoutFile } : line;
  });
}

/** So many processes may have ended since the sessions were last looked at. */
const LATEST = 4;

/**
 * The totals are read together with sessions whose process ended last, for these change with them,
 * and with those that have no file here.
 */
export function keysOfTotals(file: SessionFile, bytes: ByteSource): string[] {
  const lines = readTotals(file, bytes, () => undefined);
  const lost = lines.filter(({ isWithoutFile }) => isWithoutFile === true);
  const joined = [...lost, ...lines.slice(-LATEST)];
  return [...new Set(joined.map(({ sessionId }) => sessionId))];
}

/** An id that could lead out of the folder names no file. */
const PLAIN = /^[\w-]+$/;

function hasFile(root: string, sessionId: string, project: string): boolean {
  if (!PLAIN.test(sessionId)) return true;
  return [slugOf(project), slugOf(project, "win32")].some((slug) => {
    const chats = join(root, "projects", slug, "chats");
    return [chats, join(chats, "archive")].some((folder) => {
      return isFile(join(folder, `${sessionId}.jsonl`));
    });
  });
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
