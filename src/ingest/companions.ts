import type { Archive } from "../store/archive.ts";
import type { Diagnostic } from "../core/diagnostic.ts";
import type { KeptFile } from "../core/kept.ts";
import type { PromptLog } from "../core/prompt-log.ts";
import type { ArchivedHome } from "./archived-home.ts";
import { sessionFileOf } from "./archived-home.ts";

type Log = Omit<PromptLog, "project">;

/**
 * Reads what else tells of conversations. Of a prompt log all that it tells is put into its row; a
 * saved chat is read again when it is asked for, and only what is wrong with it is remembered.
 */
export function readCompanion(archive: Archive, home: ArchivedHome, file: KeptFile): void {
  const diagnostics: Diagnostic[] = [];
  const report = (diagnostic: Diagnostic): void => void diagnostics.push(diagnostic);
  const newer = newerOf(archive, home, file);
  const { id: fileId, stream, sizeBytes } = file;
  const base = { fileId, stream, sizeBytes, generation: "unknown" };
  if (file.role === "prompt-log") {
    const leftover = logsIn(archive, home, { file, report });
    const isRead = !newer.some((one) => holdsLogs(logsIn(archive, home, { file: one }), leftover));
    const told = isRead ? { leftover, diagnostics } : { diagnostics: [] };
    archive.rows.putReading({ ...base, format: "prompt-log", isRead, ...told });
    return;
  }
  const said = saidIn(archive, home, { file, report });
  const isRead = !newer.some((one) => beginsWith(saidIn(archive, home, { file: one }), said));
  const told = { isRead, diagnostics: isRead ? diagnostics : [] };
  archive.rows.putReading({ ...base, format: "saved-chat", ...told });
}

/** Contents that took the place of this one, as far as they tell something of their own. */
function newerOf(archive: Archive, home: ArchivedHome, file: KeptFile): KeptFile[] {
  const { replaced } = file;
  if (!replaced) return [];
  const others = archive.files
    .replaced(home.kept, archive.rows.replaced(home.kept.id))
    .filter((one) => one.replaced?.path === replaced.path && isNewer(one, file));
  return [...others, ...[home.fileAt(replaced.path) ?? []].flat()];
}

function isNewer(one: KeptFile, other: KeptFile): boolean {
  if (one.modifiedMs !== other.modifiedMs) return one.modifiedMs > other.modifiedMs;
  return one.stream > other.stream;
}

interface Told {
  file: KeptFile;
  report?: (diagnostic: Diagnostic) => void;
}

const IGNORE = (): void => undefined;

function logsIn(archive: Archive, home: ArchivedHome, { file, report = IGNORE }: Told): Log[] {
  return home.source.readPromptLog(sessionFileOf(file), archive.files.bytes(file), report);
}

function saidIn(archive: Archive, home: ArchivedHome, { file, report = IGNORE }: Told): string[] {
  const bytes = archive.files.bytes(file);
  const { messages } = home.source.readSavedChat(sessionFileOf(file), bytes, report);
  return messages.map(({ signature }) => signature);
}

function holdsLogs(newer: readonly Log[], older: readonly Log[]): boolean {
  const known = new Set(newer.flatMap(promptsIn));
  return older.flatMap(promptsIn).every((prompt) => known.has(prompt));
}

function promptsIn({ sessionId, prompts }: Log): string[] {
  return prompts.map(({ number, at, text }) => JSON.stringify([sessionId, number, at, text]));
}

/** A chat that was saved again under its name has gone on, or is another one. */
function beginsWith(newer: readonly string[], older: readonly string[]): boolean {
  return older.every((said, index) => newer[index] === said);
}

export function isCompanion({ role }: Pick<KeptFile, "role">): boolean {
  return role === "prompt-log" || role === "saved-chat";
}
