import type { LoggedPrompt, PromptLog } from "../../core/session/prompt-log.ts";
import { isSameMoment } from "../../core/session/prompt-log.ts";
import type { Project } from "../../core/session/project.ts";
import type { Session } from "../../core/session/session.ts";
import type { SessionSummary } from "../../core/rows/summary.ts";

/**
 * Up to version 0.38, a resumed session continued in its file, but its prompts were logged under
 * the id of the new process. Returns whether this session may be the one: same project, and all
 * logged prompts lie within its time.
 */
export function mayContain(summary: SessionSummary, log: PromptLog): boolean {
  if (summary.kind !== "main" || !isSame(summary.project, log.project)) return false;
  const asked = askedIn(log);
  const first = Date.parse(summary.startedAt ?? "");
  const last = Date.parse(summary.updatedAt ?? "");
  return asked.length > 0 && asked.every(({ at = "" }) => isWithin(Date.parse(at), first, last));
}

/** Whether the session contains all logged prompts, with the same text and time. */
export function containsPrompts({ messages }: Pick<Session, "messages">, log: PromptLog): boolean {
  const left = messages.filter((message) => message.isPrompt && message.copyOf === undefined);
  return askedIn(log).every(({ text, at }) => {
    const found = left.findIndex((message) => {
      return isSameMoment(message.at, at) && (message.typed ?? message.text).trim() === text.trim();
    });
    if (found >= 0) left.splice(found, 1);
    return found >= 0;
  });
}

/** Commands to the agent itself are logged, but not part of a conversation. */
function askedIn({ prompts }: PromptLog): LoggedPrompt[] {
  return prompts.filter(({ text }) => !/^\s*[/?]/.test(text));
}

function isSame(item: SessionSummary["project"], other: Project): boolean {
  if (item.path !== null && other.path !== undefined) return item.path === other.path;
  return item.hash !== null && item.hash === other.hash;
}

/** NaN is never within. */
function isWithin(value: number, least: number, most: number): boolean {
  return value >= least && value <= most;
}
