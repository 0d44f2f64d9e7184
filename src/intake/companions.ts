import type { Archive } from "../archive/archive.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { KeptFile } from "../model/kept.ts";
import type { ArchivedHome } from "./archived-home.ts";
import { sessionFileOf } from "./archived-home.ts";

/**
 * Reads what else tells of conversations. Of a prompt log all that it tells is put into its row; a
 * saved chat is read again when it is asked for, and only what is wrong with it is remembered.
 */
export function readCompanion(archive: Archive, home: ArchivedHome, file: KeptFile): void {
  const diagnostics: Diagnostic[] = [];
  const report = (diagnostic: Diagnostic): void => void diagnostics.push(diagnostic);
  const found = sessionFileOf(file);
  const bytes = archive.files.bytes(file);
  const { id: fileId, stream, sizeBytes } = file;
  const base = { fileId, stream, sizeBytes, generation: "unknown", isRead: true, diagnostics };
  if (file.role === "prompt-log") {
    const leftover = home.source.readPromptLog(found, bytes, report);
    archive.rows.putReading({ ...base, format: "prompt-log", leftover });
    return;
  }
  home.source.readSavedChat(found, bytes, report);
  archive.rows.putReading({ ...base, format: "saved-chat" });
}

export function isCompanion({ role }: Pick<KeptFile, "role">): boolean {
  return role === "prompt-log" || role === "saved-chat";
}
