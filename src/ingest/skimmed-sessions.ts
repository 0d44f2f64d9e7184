import type { Diagnostic } from "../core/diagnostic.ts";
import type { Digest } from "../core/digest.ts";
import { groupBy } from "../core/group.ts";
import { optional } from "../core/optional.ts";
import type { SessionFile } from "../core/session-file.ts";
import { digestOf } from "../core/make-digest.ts";
import type { PlayedAtHome } from "./assemble.ts";
import { assemble, hasSession, sessionIdOf } from "./assemble.ts";
import type { Home } from "./gather.ts";
import { isSessionFile, likelySessionFilesOf, readPromptLogs, readSavedChats } from "./gather.ts";
import { playFile } from "./read.ts";
import type { Wanted } from "./second-skim.ts";
import type { ReadFile } from "./session-source.ts";
import type { SkimmedFile } from "./skim-file.ts";

export interface FoundFile {
  home: Home;
  file: SessionFile;
}

/** The least that is told of a file that was skimmed. */
export type Told = Pick<SkimmedFile, "sessionId" | "format" | "generation">;

/** A session whose only file was skimmed, or one that had to be read. */
export type SkimmedSession<T> = (FoundFile & { told: T }) | { digest: Digest };

export interface SkimmedHomes<T> {
  sessions: SkimmedSession<T>[];
  files: ReadFile[];
  diagnostics: Diagnostic[];
}

/** A file: skimmed, or read because it had to be. */
interface Member<T> extends FoundFile {
  /** Of one that tells of a session. */
  sessionId?: string;
  told?: T;
  played?: PlayedAtHome;
}

/** All files that are session files, or likely to be. */
export function filesIn(homes: readonly Home[]): FoundFile[] {
  return homes.flatMap((home) => likelySessionFilesOf(home).map((file) => ({ home, file })));
}

/** As it is skimmed: what is skimmed turns out to be what it likely is. */
export function wantedOf({ home: { source }, file }: FoundFile): Wanted {
  const { likelyRole } = file;
  if (likelyRole === undefined) return { source, file };
  const { path, root, sizeBytes, modifiedMs, inode, folder, isCleaned, parentId } = file;
  const told = { path, root, sizeBytes, modifiedMs, folder, isCleaned, role: likelyRole };
  return {
    source,
    file: { ...told, ...optional("inode", inode), ...optional("parentId", parentId) },
  };
}

/** Puts together what was skimmed; what could not be is read. */
export function skimmedSessions<T extends Told>(
  homes: readonly Home[],
  found: readonly FoundFile[],
  told: (at: number) => T | undefined,
): SkimmedHomes<T> {
  const diagnostics = homes.flatMap(diagnosticsOf);
  const report = (diagnostic: Diagnostic): void => void diagnostics.push(diagnostic);
  const members = found.flatMap((one, at): Member<T>[] => {
    const known = told(at);
    const { file } = one;
    if (known && file.likelyRole) file.role = file.likelyRole;
    if (known) return [{ ...one, sessionId: known.sessionId, told: known }];
    return isSessionFile(file) ? [readMember(one)] : [];
  });
  const sessions = sessionsOf(members);
  const files = inOrder(members).map((one) => {
    one.played?.diagnostics.forEach(report);
    return readFileOf(one);
  });
  readSavedChats(homes, report);
  readPromptLogs(homes, report);
  return { sessions, files, diagnostics };
}

/** What tells about projects is read with the first question, and may have complaints too. */
function diagnosticsOf({ projects: _read, diagnostics }: Home): Diagnostic[] {
  return [...diagnostics];
}

function readMember<T>({ home, file }: FoundFile): Member<T> {
  const input = { bytes: home.open(file), weight: "outline" } as const;
  const played = { home, ...playFile(home.source, file, input) };
  return {
    home,
    file,
    played,
    ...optional("sessionId", hasSession(played) ? sessionIdOf(played) : undefined),
  };
}

/** Files of one session together, as they are listed elsewhere. */
function inOrder<T>(members: readonly Member<T>[]): Member<T>[] {
  const keyOf = ({ file, sessionId }: Member<T>): string => {
    return sessionId?.split("~", 1)[0] ?? file.path;
  };
  return [...groupBy(members, keyOf).values()].flat();
}

function readFileOf<T extends Told>({ file, sessionId, told, played }: Member<T>): ReadFile {
  const { format = "unknown", generation = "unknown" } = told ?? played ?? {};
  return { file, format, generation, isRead: sessionId !== undefined };
}

function sessionsOf<T>(members: readonly Member<T>[]): SkimmedSession<T>[] {
  const known = members.filter(({ sessionId }) => sessionId !== undefined);
  const groups = groupBy(known, ({ sessionId = "" }) => sessionId);
  return [...groups].map(([id, group]): SkimmedSession<T> => {
    const [first] = group;
    if (group.length === 1 && first?.told) {
      return { home: first.home, file: first.file, told: first.told };
    }
    // Files of one session are put together by their words.
    const read = group.flatMap((one) => one.played ?? readAgain(one) ?? []);
    return { digest: digestOf(assemble(id, read).session) };
  });
}

function readAgain<T>(member: Member<T>): PlayedAtHome | undefined {
  const { played } = readMember(member);
  delete member.told;
  if (played) member.played = played;
  return played;
}
