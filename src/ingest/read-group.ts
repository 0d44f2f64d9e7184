import { EMPTY_FORMAT, originalPath, UNKNOWN_FORMAT } from "../core/files/session-file.ts";
import type { Diagnostic } from "../core/files/diagnostic.ts";
import { groupBy } from "../core/group.ts";
import type { Session } from "../core/session/session.ts";
import type { SessionRows } from "../core/rows/session-rows.ts";
import { rowsOf } from "../core/rows/rows-of.ts";
import { shellCommands } from "../kernel/shell/commands.ts";
import type { DecodedFile, Depth, Source } from "../sources/source.ts";
import type { FileReading } from "../store/store.ts";
import type { OpenedFile } from "./decode.ts";
import { decodeFile, interpretFiles } from "./decode.ts";
import { readerFailed } from "./diagnostics.ts";
import { comparePaths } from "./stored-home.ts";

/** A file of a group. A group is a set of files that share keys and are interpreted together. */
export interface Member extends OpenedFile {
  rootId: number;
  keys: readonly string[];
}

export interface GroupRows<Rows = SessionRows> {
  sessions: Rows[];
  readings: FileReading[];
}

/** Decodes the files of a group and makes rows of their sessions. */
export function readGroup(source: Source, files: readonly Member[], depth: Depth): GroupRows {
  return readGroupAs(source, files, { depth, rowsOf: (session) => rowsOf(session, shellCommands) });
}

/** Decodes the files of a group and reduces their sessions to what is needed of them. */
export function readGroupAs<Rows>(
  source: Source,
  files: readonly Member[],
  { depth, rowsOf: reduce }: { depth: Depth; rowsOf: (session: Session) => Rows },
): GroupRows<Rows> {
  const members = files.toSorted((a, b) => comparePaths(a.file, b.file));
  const decoded = members.map((member) => decodeFile(source, member, depth));
  try {
    const sessions = interpretFiles(source, decoded, depth);
    const readings = readingsOf(members, decoded, sessions);
    return { sessions: sessions.map(reduce), readings };
  } catch (error) {
    // A failure in one group must not stop the ingest of all others.
    const failed = decoded.map((file) => {
      return { ...file, diagnostics: [...file.diagnostics, readerFailed(file.file.path, error)] };
    });
    return { sessions: [], readings: readingsOf(members, failed, []) };
  }
}

/** Decodes the files of a group and returns its sessions. */
export function readSessions(
  source: Source,
  files: readonly OpenedFile[],
  depth: Depth,
): Session[] {
  const members = files.toSorted((a, b) => comparePaths(a.file, b.file));
  const decoded = members.map((member) => decodeFile(source, member, depth));
  return interpretFiles(source, decoded, depth);
}

function readingsOf(
  members: readonly Member[],
  decoded: readonly DecodedFile[],
  sessions: readonly Session[],
): FileReading[] {
  const idsOf = sessionsByPath(sessions);
  const remarks = remarksByPath(sessions, decoded);
  return decoded.map(({ file, format, generation, diagnostics }, at) => {
    const sessionIds = idsOf.get(file.path) ?? [];
    const isRead = sessionIds.length > 0 || isAboutOthers({ file, format, diagnostics });
    return {
      rootId: members[at]?.rootId ?? 0,
      path: originalPath(file),
      ...(file.replaced ? { content: file.replaced.number } : {}),
      format,
      generation,
      keys: members[at]?.keys ?? [],
      sessionIds,
      isRead,
      // An unused older content: its problems were reported with the newer content of the same
      // path.
      diagnostics: file.replaced && !isRead ? [] : distinct(diagnostics, remarks.get(file.path)),
    };
  });
}

/** Whether a file without a session was read: its totals or titles belong to sessions in others. */
function isAboutOthers({
  file,
  format,
  diagnostics,
}: Pick<DecodedFile, "file" | "format" | "diagnostics">): boolean {
  if (file.role === "totals") return true;
  const isKnown = format !== EMPTY_FORMAT && format !== UNKNOWN_FORMAT;
  // Without a session, a replaced content has nothing that the newer one lacks.
  return isKnown && !file.replaced && diagnostics.every(({ severity }) => severity !== "damage");
}

function sessionsByPath(sessions: readonly Session[]): Map<string, string[]> {
  const byPath = new Map<string, string[]>();
  for (const { id, files } of sessions) {
    for (const { path } of files) {
      const ids = byPath.get(path);
      if (ids) ids.push(id);
      else byPath.set(path, [id]);
    }
  }
  return byPath;
}

/**
 * Diagnostics found while interpreting, by the file they are kept with: the one they are about, or
 * the first of the session for a file beside it.
 */
function remarksByPath(
  sessions: readonly Session[],
  decoded: readonly DecodedFile[],
): Map<string, Diagnostic[]> {
  const own = new Set(decoded.map(({ file }) => file.path));
  const remarks = sessions.flatMap(({ diagnostics, files }) => {
    return diagnostics.map((diagnostic) => {
      const { file } = diagnostic;
      return { diagnostic, path: own.has(file) ? file : (files[0]?.path ?? file) };
    });
  });
  const byPath = groupBy(remarks, ({ path }) => path);
  return new Map([...byPath].map(([path, group]) => [path, group.map((each) => each.diagnostic)]));
}

function distinct(
  diagnostics: readonly Diagnostic[],
  remarks: readonly Diagnostic[] = [],
): Diagnostic[] {
  if (remarks.length === 0) return [...diagnostics];
  const all = [...diagnostics, ...remarks];
  return [...new Map(all.map((diagnostic) => [JSON.stringify(diagnostic), diagnostic])).values()];
}
