import { originalPath } from "../../core/files/session-file.ts";
import { hash } from "node:crypto";
import type { Diagnostic } from "../../core/files/diagnostic.ts";
import type { LoggedPrompt, PromptLog } from "../../core/session/prompt-log.ts";
import type { SavedChat } from "../../core/session/saved-chat.ts";
import type { SessionFile } from "../../core/files/session-file.ts";
import type { Report, Source } from "../../sources/source.ts";
import type { FileReading } from "../../store/store.ts";
import type { OpenedFile } from "../decode.ts";
import { DiagnosticList, unreadable } from "../diagnostics.ts";
import type { Member } from "../read-group.ts";

type Log = Omit<PromptLog, "project">;
type Chat = Omit<SavedChat, "project">;

const IGNORE: Report = () => undefined;

/** Whether a file holds prompts or a conversation but is no session: saved chats, prompt logs. */
export function isCompanion({ role }: Pick<SessionFile, "role">): boolean {
  return role === "prompt-log" || role === "saved-chat";
}

/**
 * Reads a saved chat or prompt log for its diagnostics; it is read again when it is listed.
 * `newer` are contents that replaced this one: if one of them includes everything in it, it counts
 * as outdated.
 */
export function readCompanion(
  source: Source,
  member: Member,
  newer: readonly OpenedFile[] = [],
): FileReading {
  const { file, rootId } = member;
  const list = new DiagnosticList();
  const report: Report = (diagnostic) => list.add(diagnostic);
  const logs = file.role === "prompt-log" ? readLogs(source, member, report) : undefined;
  const isOutdated = logs
    ? newer.some((other) => holdsLogs(readLogs(source, other, IGNORE), logs))
    : isChatCoveredBy(source, member, { newer, report });
  return {
    rootId,
    path: originalPath(file),
    ...(file.replaced ? { content: file.replaced.number } : {}),
    format: file.role,
    generation: "unknown",
    keys: [],
    sessionIds: [],
    isRead: !isOutdated,
    diagnostics: isOutdated ? [] : list.all(),
  };
}

function isChatCoveredBy(
  source: Source,
  opened: OpenedFile,
  { newer, report }: { newer: readonly OpenedFile[]; report: Report },
): boolean {
  const said = saidIn(readChat(source, opened, report));
  return newer.some((other) => beginsWith(saidIn(readChat(source, other, IGNORE)), said));
}

function readLogs(source: Source, { file, bytes }: OpenedFile, report: Report): Log[] {
  const { promptLog } = source.abilities;
  return reading(file, report, () => promptLog?.read(file, bytes, report)) ?? [];
}

function readChat(source: Source, { file, bytes }: OpenedFile, report: Report): Chat | undefined {
  const { savedChats } = source.abilities;
  return reading(file, report, () => savedChats?.read(file, bytes, report));
}

function reading<T>(
  file: SessionFile,
  report: (diagnostic: Diagnostic) => void,
  read: () => T | undefined,
): T | undefined {
  try {
    return read();
  } catch (error) {
    report(unreadable(file.path, error));
    return undefined;
  }
}

function saidIn(chat: Chat | undefined): string[] {
  return chat?.messages.map(({ signature }) => signature) ?? [];
}

function holdsLogs(newer: readonly Log[], older: readonly Log[]): boolean {
  const known = new Set(newer.flatMap(promptsIn));
  return older.flatMap(promptsIn).every((prompt) => known.has(prompt));
}

function promptsIn({ sessionId, prompts }: Log): string[] {
  return prompts.map(({ number, at, text }) => JSON.stringify([sessionId, number, at, text]));
}

/** A chat saved again under its name is either a continuation or a different chat. */
function beginsWith(newer: readonly string[], older: readonly string[]): boolean {
  return older.every((said, index) => newer[index] === said);
}

/** Reads saved chats; a copy with the same tag in another folder is the same chat. */
export function savedChatsIn(files: readonly (OpenedFile & { source: Source })[]): SavedChat[] {
  const chats = files.flatMap(({ source, ...opened }): SavedChat[] => {
    const chat = readChat(source, opened, IGNORE);
    if (!chat) return [];
    const { home, file } = opened;
    const clues = { folder: file.folder, directories: [], messages: chat.messages };
    return [{ ...chat, project: home.projects?.projectOf(clues) ?? unnamed(file) }];
  });
  return distinct(chats);
}

function unnamed({ folder }: SessionFile): SavedChat["project"] {
  return { name: folder, knownBy: "folder-name" };
}

/** Removes copies; different chats with the same id get distinct ids. */
function distinct(chats: readonly SavedChat[]): SavedChat[] {
  const contents = new Set<string>();
  const ids = new Set<string>();
  return chats.flatMap((chat): SavedChat[] => {
    const said = [chat.source, chat.tag, ...saidIn(chat)].join("\n");
    const content = hash("sha256", said, "hex");
    if (contents.has(content)) return [];
    contents.add(content);
    const id = ids.has(chat.id) ? `${chat.id}-${content.slice(0, 6)}` : chat.id;
    ids.add(id);
    return [{ ...chat, id }];
  });
}

/** Reads prompt logs by session; merges copies of a log and its older versions. */
export function promptLogsIn(files: readonly (OpenedFile & { source: Source })[]): PromptLog[] {
  const logs = new Map<string, PromptLog>();
  for (const { source, ...opened } of files) {
    const { home, file } = opened;
    for (const log of readLogs(source, opened, IGNORE)) {
      const key = `${log.source}\n${log.sessionId}`;
      const clues = { folder: file.folder, directories: [], messages: [] };
      const known = logs.get(key);
      if (known) addPrompts(known, log);
      else logs.set(key, { ...log, project: home.projects?.projectOf(clues) ?? unnamed(file) });
    }
  }
  return [...logs.values()];
}

function addPrompts(known: PromptLog, more: Log): void {
  const seen = new Set(known.prompts.map(promptKey));
  const fresh = more.prompts.filter((prompt) => !seen.has(promptKey(prompt)));
  known.prompts = [...known.prompts, ...fresh].toSorted(byMoment);
  known.files.push(...more.files);
}

function promptKey({ text, at, number }: LoggedPrompt): string {
  return `${number} ${at} ${text}`;
}

function byMoment(a: LoggedPrompt, b: LoggedPrompt): number {
  const [first = "", second = ""] = [a.at, b.at];
  if (first === second) return (a.number ?? 0) - (b.number ?? 0);
  return first < second ? -1 : 1;
}
