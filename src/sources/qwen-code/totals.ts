import { isFolder } from "../../kernel/open-file.ts";
import { statSync } from "node:fs";
import { join } from "node:path";
import type { SessionFile } from "../../core/files/session-file.ts";
import type { ByteSource } from "../../kernel/bytes.ts";
import { memoryBytes } from "../../kernel/bytes.ts";
import type { HomeView, Report } from "../source.ts";
import type { View } from "../view.ts";
import { textIn } from "../view.ts";
import type { ProcessTotals } from "./content.ts";
import { readUsageRecord, USAGE_RECORD } from "./formats/usage-record.ts";
import { slugOf } from "./names.ts";

/**
 * Reads the totals of all sessions from one file. Checks on disk which of them have no session file
 * in this root: they were recorded elsewhere, not recorded, or deleted.
 */
export function readTotals(
  { root }: Pick<SessionFile, "root">,
  bytes: ByteSource,
  report: Report,
): ProcessTotals[] {
  const lines = readUsageRecord(bytes, report);
  // If the root is missing or on another machine, nothing is known about its session files.
  if (!isFolder(join(root, "projects")) && !isFolder(join(root, "tmp"))) return lines;
  const without = new Map<string, boolean>();
  return lines.map((line) => {
    const { sessionId, project = "" } = line;
    const isWithoutFile = without.get(sessionId) ?? !hasFile(root, sessionId, project);
    without.set(sessionId, isWithoutFile);
    return isWithoutFile ? { ...line, isWithoutFile } : line;
  });
}

/** How many processes may have ended since the last scan. */
const LATEST = 4;

/**
 * Returns the sessions that the totals are read with: those whose process ended last, because they
 * change with them, and those without a file here.
 */
export function keysOfTotals(file: SessionFile, bytes: ByteSource): string[] {
  const lines = readTotals(file, bytes, () => undefined);
  const lost = lines.filter(({ isWithoutFile }) => isWithoutFile === true);
  const joined = [...lost, ...lines.slice(-LATEST)];
  return [...new Set(joined.map(({ sessionId }) => sessionId))];
}

/** Other ids could lead out of the folder. */
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

type Home = Pick<HomeView, "root" | "view">;

/** The content of a root's `usage_record.jsonl`, read again only when it has grown. */
interface KnownTotals {
  sizeBytes: number;
  bySession: ReadonlyMap<string, readonly ProcessTotals[]>;
  projects: ReadonlySet<string>;
}

const known = new WeakMap<View, Map<string, KnownTotals>>();

function totalsOf({ root, view }: Home): KnownTotals {
  const path = join(root, USAGE_RECORD);
  const sizeBytes = view.sizeOf(path) ?? 0;
  const ofView = known.get(view) ?? new Map<string, KnownTotals>();
  known.set(view, ofView);
  const before = ofView.get(path);
  if (before?.sizeBytes === sizeBytes) return before;
  const totals = knownTotals(path, view, sizeBytes);
  ofView.set(path, totals);
  return totals;
}

function knownTotals(path: string, view: View, sizeBytes: number): KnownTotals {
  const bySession = new Map<string, ProcessTotals[]>();
  const projects = new Set<string>();
  // Its diagnostics are reported when it is read as a file of its own.
  const report = (): void => undefined;
  const bytes = memoryBytes(path, Buffer.from(textIn(view, path) ?? ""));
  for (const line of readUsageRecord(bytes, report)) {
    bySession.set(line.sessionId, [...(bySession.get(line.sessionId) ?? []), line]);
    if (line.project !== undefined) projects.add(line.project);
  }
  return { sizeBytes, bySession, projects };
}

/** Returns the totals of all processes of a session. */
export function totalsOfSession(home: Home, sessionId: string): readonly ProcessTotals[] {
  return totalsOf(home).bySession.get(sessionId) ?? [];
}

/** Returns all directories that processes were started in. */
export function directoriesIn(home: Home): Iterable<string> {
  return totalsOf(home).projects;
}
