import type { ConversationLoss } from "../../core/session/conversation.ts";
import { SUMMARY_ACKNOWLEDGEMENT } from "../../core/session/conversation.ts";
import type { Attachment } from "../../core/session/attachment.ts";
import type { Message } from "../../core/session/message.ts";
import { isLive } from "../../core/session/message.ts";
import type { Session } from "../../core/session/session.ts";

/** The messages that the model would receive with its next request, in that order. */
export function nextRequest(session: Session, lose: (loss: ConversationLoss) => void): Message[] {
  const messages = withoutThanks(withoutEncryptedSummary(session.messages, lose));
  const { compressions } = session;
  const at = messages.findLastIndex(({ id }) => {
    return compressions.some(({ messageId, keeps }) => messageId === id && keeps === "behind");
  });
  const summary = messages[at];
  return summary ? [summary, ...messages.slice(0, at), ...messages.slice(at + 1)] : messages;
}

/**
 * The live messages. Other agents cannot read an encrypted summary, so it is replaced by the
 * messages that it summarised, from the last readable summary on.
 */
function withoutEncryptedSummary(
  messages: readonly Message[],
  lose: (loss: ConversationLoss) => void,
): Message[] {
  const live = messages.filter(isLive);
  const last = live.findLast((message) => summaryIn(message) !== undefined);
  if (!last || summaryIn(last) !== "") return live;
  const end = messages.indexOf(last);
  const begin = messages.findLastIndex((message, at) => {
    return at < end && isLiveOrSummarised(message) && (summaryIn(message) ?? "") !== "";
  });
  const carried = messages.filter((message, at) => {
    const isReplaced = at >= begin && at < end && isLiveOrSummarised(message);
    return summaryIn(message) !== "" && (isLive(message) || isReplaced);
  });
  const isCarried = carried.length >= live.length;
  const why = `it is encrypted; the messages it replaces are ${isCarried ? "carried" : "not recorded"}`;
  lose({ what: "summary", count: 1, why });
  return carried;
}

function withoutThanks(messages: readonly Message[]): Message[] {
  return messages.filter(({ author, text }, at) => {
    const before = messages[at - 1];
    const isBehindSummary = before !== undefined && summaryIn(before) !== undefined;
    return !isBehindSummary || author !== "model" || text.trim() !== SUMMARY_ACKNOWLEDGEMENT;
  });
}

function summaryIn({ injections }: Message): string | undefined {
  return injections.find(({ kind }) => kind === "compression-summary")?.text.trim();
}

/** Live, or only replaced by a summary. */
function isLiveOrSummarised({ standing, reason }: Message): boolean {
  return standing === "live" || (standing === "rewritten" && reason === "compression");
}

/**
 * Attachments of each call's result, from the call or from the message with the result. If a
 * message has several results, the last one gets its attachments.
 */
export function resultAttachments(messages: readonly Message[]): Map<string, Attachment[]> {
  const found = new Map<string, Attachment[]>();
  let lastCall: string | undefined;
  const add = (callId: string | undefined, attachments: readonly Attachment[]): void => {
    if (callId === undefined) return;
    const known = found.get(callId) ?? [];
    const fresh = attachments.filter(({ data }) => {
      return data === undefined || known.every((picture) => picture.data !== data);
    });
    if (fresh.length > 0) found.set(callId, [...known, ...fresh]);
  };
  for (const { isPrompt, toolCalls, results, attachments, injections } of messages) {
    for (const call of toolCalls) add(call.id, call.attachments ?? []);
    lastCall = toolCalls.at(-1)?.id ?? lastCall;
    const isResult = results.length > 0 || injections.some(({ kind }) => kind === "tool-response");
    if (isResult && !isPrompt) add(results.at(-1)?.callId ?? lastCall, attachments);
  }
  return found;
}
