import type { Clues } from "../store/archive.ts";
import type { Message } from "../core/message.ts";
import { optional } from "../core/optional.ts";
import type { Project } from "../core/project.ts";
import { PROJECT_EVIDENCE } from "../core/project.ts";
import type { Session } from "../core/session.ts";
import type { ToolCall } from "../core/tool-call.ts";
import type { PlayedFile } from "../sources/gemini-cli/interpret/session.ts";
import { mergeFiles } from "../sources/gemini-cli/interpret/session.ts";
import type { ProjectClues, ProjectIndex } from "../sources/source.ts";
import type { Home } from "./gather.ts";

/** A file that was played, and the home that it was found in. */
export type PlayedAtHome = PlayedFile & { home: Home };

export function hasSession({ replay }: PlayedFile): boolean {
  return replay.headers > 0 || replay.messages.length > 0;
}

/** All files of one id, as a session of its project. */
export function assemble(
  id: string,
  files: readonly PlayedAtHome[],
): { session: Session; clues: Clues } {
  const [first] = files;
  if (!first) throw new RangeError("A session needs at least one file.");
  const merged = mergeFiles(id, files);
  const parentId = merged.parentId ?? sharedParentOf(first);
  const clues = files.map((one) => ({ home: one.home, ...cluesOf(one, merged) }));
  const project = strongest(clues.map(({ home, ...told }) => home.projects.projectOf(told)));
  addSpills(merged.messages, id, files);
  const { id: source, ledgerName } = first.home.source;
  return {
    session: { ...merged, source, ledgerName, ...optional("parentId", parentId), project },
    clues: {
      files: clues.map(({ home: _home, messages: _words, directories: _same, ...told }) => told),
      directories: merged.directories,
    },
  };
}

function cluesOf(
  { home, file, replay }: PlayedAtHome,
  merged: Pick<Session, "directories" | "messages">,
): ProjectClues {
  const { directories, messages } = merged;
  const { projectHash } = replay.facts;
  const clues = {
    folder: file.folder,
    ...optional("projectHash", projectHash),
    directories,
    messages,
  };
  return { ...clues, ...optional("told", home.projects.told(clues)) };
}

/** The project again, when more is known of its root than at the time of reading. */
export function projectAgain({ files, directories }: Clues, projects: ProjectIndex): Project {
  return strongest(files.map((told) => projects.projectOf({ ...told, directories, messages: [] })));
}

/** The strongest evidence first; files of one session may lie in several folders. */
function strongest(projects: readonly Project[]): Project {
  const [project] = projects.toSorted((a, b) => {
    const rank = PROJECT_EVIDENCE.indexOf(a.knownBy) - PROJECT_EVIDENCE.indexOf(b.knownBy);
    return rank === 0 ? compare(a.path ?? "", b.path ?? "") : rank;
  });
  if (!project) throw new RangeError("A session file lies in a project folder.");
  return project;
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function addSpills(
  messages: readonly Message[],
  sessionId: string,
  files: readonly PlayedAtHome[],
): void {
  for (const { toolCalls } of messages) {
    for (const call of toolCalls) if (call.isCut === true) addSpill(call, sessionId, files);
  }
}

function addSpill(call: ToolCall, sessionId: string, files: readonly PlayedAtHome[]): void {
  const spills = files.flatMap(({ home, file: { root, folder } }) => {
    return home.source.findSpill(call, { root, folder, sessionId, view: home.view }) ?? [];
  });
  const spill = spills.find(({ isFound }) => isFound) ?? spills[0];
  if (spill) call.spill = spill;
}

/** From 0.31 to 0.36 a subagent's file carries its parent's id: it gets one of its own. */
export function sessionIdOf({ file, replay }: Pick<PlayedFile, "file" | "replay">): string {
  const { sessionId, kind } = replay.facts;
  const stem = stemOf(file.path);
  if (sessionId === undefined) return stem;
  return kind === "subagent" && file.role === "main" ? `${sessionId}~${minuteOf(stem)}` : sessionId;
}

function sharedParentOf({ file, replay }: PlayedFile): string | undefined {
  const isShared = replay.facts.kind === "subagent" && file.role === "main";
  return isShared ? replay.facts.sessionId : undefined;
}

function stemOf(path: string): string {
  const name = path.split(/[\\/]/).at(-1) ?? path;
  return name.replace(/\.jsonl?(\..*)?$/, "");
}

function minuteOf(stem: string): string {
  return /(\d{4}-\d\d-\d\dT\d\d-\d\d)/.exec(stem)?.[1] ?? stem;
}
