import type { SessionFilter } from "../../core/filter/filter.ts";
import { isAboutCalls, matchesProject, matchesTime } from "../../core/filter/matches.ts";
import type { PromptLog } from "../../core/session/prompt-log.ts";
import type { SavedChat } from "../../core/session/saved-chat.ts";
import type { ProjectAnswer } from "../../core/rows/summary.ts";
import { projectAnswer } from "../../core/rows/summarise.ts";

/** Summary of a saved chat. */
export interface SavedChatSummary {
  id: string;
  source: string;
  tag: string;
  project: ProjectAnswer;
  messages: number;
  prompts: number;
  savedAt: string;
  authType: string | null;
  file: string;
}

/** Summary of a session that is only known from its prompt log. */
export interface PromptLogSummary {
  sessionId: string;
  source: string;
  project: ProjectAnswer;
  prompts: { text: string; at: string | null }[];
  startedAt: string | null;
  updatedAt: string | null;
  files: string[];
}

export function summariseChat(chat: SavedChat): SavedChatSummary {
  return {
    id: chat.id,
    source: chat.source,
    tag: chat.tag,
    project: projectAnswer(chat.project),
    messages: chat.messages.length,
    prompts: chat.messages.filter(({ isPrompt }) => isPrompt).length,
    savedAt: new Date(chat.modifiedMs).toISOString(),
    authType: chat.authType ?? null,
    file: chat.file,
  };
}

export function summariseLog(log: PromptLog): PromptLogSummary {
  const times = log.prompts.flatMap(({ at }) => at ?? []).toSorted();
  return {
    sessionId: log.sessionId,
    source: log.source,
    project: projectAnswer(log.project),
    prompts: log.prompts.map(({ text, at }) => ({ text, at: at ?? null })),
    startedAt: times[0] ?? null,
    updatedAt: times.at(-1) ?? null,
    files: log.files,
  };
}

/** Matching chats, newest first. The only time of a saved chat is when it was saved. */
export function newestChats(
  chats: readonly SavedChatSummary[],
  filter: SessionFilter,
): SavedChatSummary[] {
  const timed = chats.map((chat) => {
    return { chat, ...chat, kind: "saved-chat", startedAt: null, updatedAt: chat.savedAt } as const;
  });
  return timed
    .filter((chat) => matchesFilter(chat, filter))
    .toSorted(byLastTime)
    .slice(0, filter.limit)
    .map(({ chat }) => chat);
}

export function newestLogs(
  logs: readonly PromptLogSummary[],
  filter: SessionFilter,
): PromptLogSummary[] {
  return logs
    .filter((log) => matchesFilter({ ...log, kind: "prompt-log" }, filter))
    .toSorted(byLastTime)
    .slice(0, filter.limit);
}

/** A saved chat or prompt log: it has no model, status, calls or tags. */
interface WithoutSession {
  source: string;
  project: ProjectAnswer;
  startedAt: string | null;
  updatedAt: string | null;
  kind: "saved-chat" | "prompt-log";
}

function matchesFilter(item: WithoutSession, filter: SessionFilter): boolean {
  return (
    matchesProject(item, filter) &&
    matchesTime(item, filter) &&
    filter.model === undefined &&
    filter.status === undefined &&
    filter.tag === undefined &&
    filter.star === undefined &&
    !isAboutCalls(filter) &&
    (filter.source === undefined || item.source === filter.source) &&
    (filter.kind === undefined || item.kind === filter.kind)
  );
}

type Timed = Pick<WithoutSession, "startedAt" | "updatedAt">;

function byLastTime(a: Timed, b: Timed): number {
  return timeOf(b) - timeOf(a);
}

function timeOf({ startedAt, updatedAt }: Timed): number {
  const time = Date.parse(updatedAt ?? startedAt ?? "");
  return Number.isNaN(time) ? 0 : time;
}
