import { groupBy } from "../../../core/group.ts";
import { isPaid } from "../../../core/usage/counts.ts";
import type { Message } from "../../../core/session/message.ts";
import { optional } from "../../../core/optional.ts";
import { strongestProject } from "../../../core/session/project.ts";
import type { Reply, Session, SessionContent } from "../../../core/session/session.ts";
import type { ToolCall } from "../../../core/session/tool-call.ts";
import type { Depth, ProjectClues } from "../../source.ts";
import { findSpill } from "../spill.ts";
import type { FileReplay, PlayedFile } from "./file-replay.ts";
import { linkAgents } from "./links.ts";
import { addRewound } from "./logged.ts";
import { mayRepeatUsage } from "./repairs.ts";
import { mergeFiles, sessionIdOf, byContent, placeOf } from "./session.ts";

/** All files with the same id form one session. */
export function interpret(files: readonly PlayedFile[], depth: Depth): SessionContent[] {
  const outdated = outdatedOf(files);
  const current = files.filter((file) => hasSession(file) && !outdated.has(file));
  const groups = groupBy(current, sessionIdOf);
  const sessions = [...groups].map(([id, group]) => assemble(id, group, depth));
  if (depth !== "usage") linkAgents(sessions);
  return sessions;
}

function hasSession({ content }: PlayedFile): boolean {
  return content.headers > 0 || content.messages.length > 0;
}

function assemble(id: string, files: readonly PlayedFile[], depth: Depth): SessionContent {
  const merged = mergeFiles(id, files);
  const parentId = merged.parentId ?? sharedParentOf(files);
  const clues = files.map((file) => cluesOf(file, merged));
  const project = strongestProject(
    files.flatMap(({ home }, at) => {
      const own = clues[at];
      return own ? (home.projects?.projectOf(own) ?? []) : [];
    }),
  );
  if (depth !== "usage") {
    addSpills(merged.messages, id, files);
    addRewound(merged.messages, id, files);
  }
  return {
    ...merged,
    ...optional("parentId", parentId),
    project: project ?? { name: files[0]?.file.folder ?? "", knownBy: "folder-name" },
    replies: repliesOf(merged.messages),
    clues: {
      files: clues.map(({ messages: _words, directories: _same, ...stored }, at) => {
        return { root: files[at]?.file.root ?? "", ...stored };
      }),
      directories: merged.directories,
    },
  };
}

/** Returns one reply per paid message, except for counts that another message reports in full. */
function repliesOf(messages: readonly Message[]): Reply[] {
  const replies: Reply[] = [];
  for (const message of messages) {
    const { usage } = message;
    if (message.author !== "model" || !isPaid(usage) || message.isUsageRepeated === true) continue;
    replies.push({
      // Hand-made ids such as "g1" occur in many sessions: only a copy also has the same time and
      // model.
      id: [message.id, message.at ?? "", message.model ?? ""].join(" "),
      ledgerKey: message.isUnnamed === true ? unnamedKey(message) : message.id,
      messageId: message.id,
      at: message.at,
      model: message.model,
      counts: usage,
      standing: message.standing,
      reason: message.reason,
      place: message.usagePlace ?? message.place,
    });
  }
  return replies;
}

/** A reply without an id is identified by its time, its model and its counts. */
function unnamedKey({ at = "", model = "", usage }: Message): string {
  const { input, cached, output, thoughts, tool, total } = usage ?? {};
  const counts = [input, cached, output, thoughts, tool, total].map((count) => count ?? "");
  return `${at}:${model}:${counts.join(":")}`;
}

function cluesOf(
  { file, home, content }: PlayedFile,
  { directories, messages }: Pick<Session, "directories" | "messages">,
): ProjectClues {
  const clues = {
    folder: file.folder,
    ...optional("projectHash", content.facts.projectHash),
    directories,
    messages,
  };
  return { ...clues, ...optional("mentionedPath", home.projects?.mentionedPath(clues)) };
}

function addSpills(
  messages: readonly Message[],
  sessionId: string,
  files: readonly PlayedFile[],
): void {
  for (const { toolCalls } of messages) {
    for (const call of toolCalls) if (call.isCut === true) addSpill(call, sessionId, files);
  }
}

function addSpill(call: ToolCall, sessionId: string, files: readonly PlayedFile[]): void {
  const spills = files.flatMap(({ home, file: { root, folder } }) => {
    return findSpill(call, { root, folder, sessionId, view: home.view }) ?? [];
  });
  const spill = spills.find(({ isFound }) => isFound) ?? spills[0];
  if (spill) call.spill = spill;
}

/** From 0.31 to 0.36 a subagent's file has its parent's id. */
function sharedParentOf([first]: readonly PlayedFile[]): string | undefined {
  if (!first) return undefined;
  const isShared = first.content.facts.kind === "subagent" && first.file.role === "main";
  return isShared ? first.content.facts.sessionId : undefined;
}

/**
 * Whether usage is exact without the texts. Texts are needed to find out what an import repeats and
 * which counts are reported twice.
 */
export function isExactWithoutText({ messages, facts }: FileReplay): boolean {
  if (facts.isImport === true || mayRepeatUsage(messages)) return false;
  // A reply without a time gets its session's, which depends on texts.
  return messages.every(({ usage, at }) => !isPaid(usage) || at !== undefined);
}

/**
 * Finds replaced contents whose data is all in newer contents of the same file. A document that is
 * rewritten on every change leaves hundreds of them, and none needs to be read again.
 */
function outdatedOf(played: readonly PlayedFile[]): Set<PlayedFile> {
  if (!played.some(({ file }) => file.replaced)) return new Set();
  const outdated = new Set<PlayedFile>();
  const places = groupBy(played, (content) => `${sessionIdOf(content)} ${placeOf(content)}`);
  for (const contents of places.values()) {
    const known = new Map<string, Message[]>();
    for (const file of contents.toSorted((a, b) => byContent(b, a))) {
      const { messages } = file.content;
      if (file.file.replaced && messages.every((message) => isHeld(message, known))) {
        outdated.add(file);
        continue;
      }
      for (const message of messages) {
        known.set(message.id, [...(known.get(message.id) ?? []), message]);
      }
    }
  }
  return outdated;
}

/** Whether newer contents together have everything that this message has. */
function isHeld(message: Message, known: ReadonlyMap<string, readonly Message[]>): boolean {
  const newer = known.get(message.id);
  if (!newer) return false;
  if (message.text !== "" && newer.every(({ text }) => text === "")) return false;
  if (isPaid(message.usage) && !newer.some(({ usage }) => isPaid(usage))) return false;
  const calls = newer.flatMap(({ toolCalls }) => toolCalls);
  return message.toolCalls.every((call) => isCallHeld(call, calls));
}

/** Long outputs are masked later, so the newer content may hold only a preview. */
function isCallHeld(call: ToolCall, calls: readonly ToolCall[]): boolean {
  return calls.some(({ id, output, isCut }) => {
    if (id !== call.id) return false;
    return call.output === undefined || (output !== undefined && (!isCut || call.isCut === true));
  });
}
