import { hash } from "node:crypto";
import type { Diagnostic } from "../core/diagnostic.ts";
import { groupBy } from "../core/group.ts";
import type { LoggedPrompt, PromptLog } from "../core/prompt-log.ts";
import type { SavedChat } from "../core/saved-chat.ts";
import type { Session } from "../core/session.ts";
import type { SessionFile } from "../core/session-file.ts";
import type { PlayedFile } from "../sources/gemini-cli/interpret/session.ts";
import type { ByteSource } from "../kernel/bytes.ts";
import { fileBytes } from "../kernel/bytes.ts";
import type { FoundHome, ProjectIndex, Root, Source } from "../sources/source.ts";
import type { View } from "../sources/view.ts";
import { diskView } from "../sources/view.ts";
import { assemble, hasSession, sessionIdOf } from "./assemble.ts";
import type { Weight } from "../sources/decoding/outline.ts";
import { playFile, unreadable } from "./read.ts";

/** One root of one source, with what lies below it: on the disk, or in the archive. */
export interface Home extends FoundHome {
  source: Source;
  root: Root;
  /** Which directories its folders stand for; worked out when first asked. */
  readonly projects: ProjectIndex;
  diagnostics: Diagnostic[];
  view: View;
  open(file: SessionFile): ByteSource;
  /** What a log of prompts holds, when that was read before. */
  promptLog?(file: SessionFile): Omit<PromptLog, "project">[] | undefined;
  /** The session that a file names at its beginning. */
  peek(file: SessionFile): string | undefined;
}

/** What was found below a root on the disk. */
export function findHome(source: Source, root: Root): Home {
  const diagnostics: Diagnostic[] = [];
  const found = source.find(root, (diagnostic) => diagnostics.push(diagnostic));
  const peek = (file: SessionFile): string | undefined => peekBytes(source, openFile(file));
  return withProjects({
    ...found,
    source,
    root,
    diagnostics,
    view: diskView,
    open: openFile,
    peek,
  });
}

/** All places that are there. */
export function findHomes(places: readonly { source: Source; root: Root }[]): Home[] {
  return places.flatMap(({ source, root }) => (root.isFound ? [findHome(source, root)] : []));
}

function openFile({ path }: SessionFile): ByteSource {
  return fileBytes(path);
}

export function peekBytes(source: Source, bytes: ByteSource): string | undefined {
  try {
    return source.peekId(bytes);
  } catch {
    // It will be reported when it is read.
    return undefined;
  }
}

export function withProjects(home: Omit<Home, "projects">): Home {
  const { source, root, folders, view, diagnostics } = home;
  let projects: ProjectIndex | undefined;
  return {
    ...home,
    get projects() {
      return (projects ??= source.projects({ root: root.path, folders, view }, (diagnostic) =>
        diagnostics.push(diagnostic),
      ));
    },
  };
}

/** The same home, with other bytes. What is worked out late stays late. */
export function withOpen(home: Home, open: () => ByteSource): Home {
  return Object.create(home, { open: { value: open } }) as Home;
}

const SESSION_ROLES = new Set(["main", "subagent", "set-aside"]);

/** Those, and files that are likely to be some: no file is looked into. */
export function likelySessionFilesOf(home: Home): SessionFile[] {
  return home.files.filter((file) => SESSION_ROLES.has(file.likelyRole ?? file.role));
}

export function likelyBytes(homes: readonly Home[]): number {
  const files = homes.flatMap(likelySessionFilesOf);
  return files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
}

export function isSessionFile({ role }: SessionFile): boolean {
  return SESSION_ROLES.has(role);
}

export function sessionFilesOf(home: Home): SessionFile[] {
  return home.files.filter(isSessionFile);
}

/** Reads files and puts together the sessions that they tell of, each id once. */
export function readSessions(
  found: readonly { home: Home; file: SessionFile }[],
  weight: Weight,
): { sessions: Session[]; played: PlayedFile[] } {
  const played = found.map(({ home, file }) => {
    const bytes = home.open(file);
    return { home, ...playFile(home.source, file, { bytes, weight }) };
  });
  const groups = groupBy(played.filter(hasSession), sessionIdOf);
  const sessions = [...groups].map(([id, files]) => assemble(id, files).session);
  return { sessions, played };
}

/** Chats saved by hand, of all homes; the same tag copied to another folder is one chat. */
export function readSavedChats(
  homes: readonly Home[],
  report: (d: Diagnostic) => void,
): SavedChat[] {
  const chats = filesOf(homes, "saved-chat").flatMap(({ home, file }): SavedChat[] => {
    return reading(file, report, () => {
      const chat = home.source.readSavedChat(file, home.open(file), report);
      const clues = { folder: file.folder, directories: [], messages: chat.messages };
      return [{ ...chat, project: home.projects.projectOf(clues) }];
    });
  });
  return distinct(chats);
}

/** A copy in another folder is the same chat; another one under the same name is its own. */
function distinct(chats: readonly SavedChat[]): SavedChat[] {
  const contents = new Set<string>();
  const ids = new Set<string>();
  return chats.flatMap((chat): SavedChat[] => {
    const said = [chat.tag, ...chat.messages.map(({ signature }) => signature)].join("\n");
    const content = hash("sha256", said, "hex");
    if (contents.has(content)) return [];
    contents.add(content);
    const id = ids.has(chat.id) ? `${chat.id}-${content.slice(0, 6)}` : chat.id;
    ids.add(id);
    return [{ ...chat, id }];
  });
}

/** What was typed, by session; copies of a log and its set-aside versions are put together. */
export function readPromptLogs(
  homes: readonly Home[],
  report: (d: Diagnostic) => void,
): PromptLog[] {
  const logs = new Map<string, PromptLog>();
  for (const { home, file } of filesOf(homes, "prompt-log")) {
    const read =
      home.promptLog?.(file) ??
      reading(file, report, () => home.source.readPromptLog(file, home.open(file), report));
    for (const log of read) {
      const clues = { folder: file.folder, directories: [], messages: [] };
      const known = logs.get(log.sessionId);
      if (known) addPrompts(known, log);
      else logs.set(log.sessionId, { ...log, project: home.projects.projectOf(clues) });
    }
  }
  return [...logs.values()];
}

function addPrompts(known: PromptLog, more: Omit<PromptLog, "project">): void {
  const seen = new Set(known.prompts.map(({ text, at, number }) => `${number} ${at} ${text}`));
  const fresh = more.prompts.filter(({ text, at, number }) => !seen.has(`${number} ${at} ${text}`));
  known.prompts = [...known.prompts, ...fresh].toSorted(byMoment);
  known.files.push(...more.files);
}

function byMoment(a: LoggedPrompt, b: LoggedPrompt): number {
  const [first = "", second = ""] = [a.at, b.at];
  if (first === second) return (a.number ?? 0) - (b.number ?? 0);
  return first < second ? -1 : 1;
}

function filesOf(
  homes: readonly Home[],
  role: SessionFile["role"],
): { home: Home; file: SessionFile }[] {
  return homes.flatMap((home) =>
    home.files.filter((file) => file.role === role).map((file) => ({ home, file })),
  );
}

function reading<T>(file: SessionFile, report: (d: Diagnostic) => void, read: () => T[]): T[] {
  try {
    return read();
  } catch (error) {
    report(unreadable(file.path, error));
    return [];
  }
}
