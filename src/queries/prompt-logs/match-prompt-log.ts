import type { LoggedPrompt, PromptLog } from "../../core/prompt-log.ts";
import { isSameMoment } from "../../core/prompt-log.ts";
import type { Project } from "../../core/project.ts";
import type { Session } from "../../core/session.ts";
import type { SessionSummary } from "../../core/summary.ts";

/**
 * Up to 0.38 a session that was resumed went on in its file, but was logged under the id that the
 * process would have had. Whether this session may be the one: its project, and all of the log
 * lies within its time.
 */
export function mayTell(summary: SessionSummary, log: PromptLog): boolean {
  if (summary.kind !== "main" || !isSame(summary.project, log.project)) return false;
  const asked = askedIn(log);
  const first = Date.parse(summary.startedAt ?? "");
  const last = Date.parse(summary.updatedAt ?? "");
  return asked.length > 0 && asked.every(({ at = "" }) => isWithin(Date.parse(at), first, last));
}

/** Whether all that was asked stands in the session, in the same words and at the same moments. */
export function tells({ messages }: Pick<Session, "messages">, log: PromptLog): boolean {
  const left = messages.filter((message) => message.isPrompt && message.copyOf === undefined);
  return askedIn(log).every(({ text, at }) => {
    const found = left.findIndex((message) => {
      return isSameMoment(message.at, at) && (message.typed ?? message.text).trim() === text.trim();
    });
    if (found >= 0) left.splice(found, 1);
    return found >= 0;
  });
}

/** Commands to the program itself are logged, but are no part of a conversation. */
function askedIn({ prompts }: PromptLog): LoggedPrompt[] {
  return prompts.filter(({ text }) => !/^\s*[/?]/.test(text));
}

function isSame(item: SessionSummary["project"], other: Project): boolean {
  if (item.path !== null && other.path !== undefined) return item.path === other.path;
  return item.hash !== null && item.hash === other.hash;
}

/** Never with a time that is not known. */
function isWithin(value: number, least: number, most: number): boolean {
  return value >= least && value <= most;
}
