import type { InjectionKind, Message } from "./message.ts";
import type { Session } from "./session.ts";
import type { Status } from "../rows/summary.ts";
import { isLive } from "./message.ts";

export function statusOf(session: Pick<Session, "messages" | "files">): Status {
  const live = session.messages.filter(isLive);
  const said = session.messages.filter(isTalk);
  if (said.length === 0)
    return session.messages.some(isNotice) || !isStub(session) ? "empty" : "stub";
  const last = live.findLast(isTalk);
  const closing = closingNotice(live, last);
  if (closing) return closing;
  // Everything was taken back: by a failed request, or by the user.
  if (!last) return said.at(-1)?.reason === "rollback" ? "failure" : "cancelled";
  if (isCancelled(last)) return "cancelled";
  if (last.author === "user") return "interrupted";
  // A call has no result: the agent died, or is still running.
  if (last.toolCalls.some(({ outcome }) => outcome === undefined)) return "interrupted";
  if (last.toolCalls.some(({ outcome }) => outcome === "error")) return "failure";
  return last.toolCalls.some(({ outcome }) => outcome === "cancelled") ? "cancelled" : "success";
}

/** Notices after the last message explain why the conversation ended there. */
function closingNotice(live: readonly Message[], last: Message | undefined): Status | undefined {
  const after = last ? live.slice(live.indexOf(last) + 1) : live;
  if (after.some(({ signal }) => signal === "cancellation")) return "cancelled";
  return after.some(({ level }) => level === "error") ? "failure" : undefined;
}

/** Whether an answer was interrupted, or the message holds the result of a cancelled call. */
function isCancelled({ signal, results }: Message): boolean {
  return signal === "cancellation" || results.some(({ outcome }) => outcome === "cancelled");
}

function isStub({ files }: Pick<Session, "files">): boolean {
  return files.every(({ format }) => format === "append-jsonl");
}

function isTalk(message: Message): boolean {
  return message.author !== "notice" && !isAside(message);
}

function isNotice(message: Message): boolean {
  return message.author === "notice";
}

/** Injections that need no answer. */
const ASIDES: ReadonlySet<InjectionKind> = new Set<InjectionKind>([
  "session-context",
  "hook-context",
  "editor-context",
  "agent-selection",
  "shell-run",
  "workspace",
  "plan-mode",
  "slash-command",
  "command-output",
  "reminder",
  "environment",
  "instructions",
  "model-switch",
  "interruption",
  "compression-summary",
  "handover-note",
]);

function isAside({ isPrompt, injections, results }: Message): boolean {
  const isInjected = injections.length > 0 && results.length === 0;
  return !isPrompt && isInjected && injections.every(({ kind }) => ASIDES.has(kind));
}
