import { readHandoverNote } from "./conversation.ts";
import type { HandoverNote } from "./conversation.ts";
import { instantOf } from "./instant.ts";
import type { Message } from "./message.ts";
import type { Session } from "./session.ts";
import { latest } from "./time-range.ts";

/**
 * A session that continues one of another agent says so at the beginning of its first prompt. What
 * was said until then was said there: it is shown here and counted there.
 */
export function recogniseHandover(session: Session): Session {
  const first = session.messages.find(({ isPrompt }) => isPrompt);
  const note = first && readHandoverNote(first.typed ?? first.text);
  if (!note || !isBorneOut(note, first, session)) return session;
  const untilMs = instantOf(note.at);
  let isBefore = true;
  const messages = session.messages.map((message): Message => {
    // What has no time was said when the last thing was that has one.
    if (message.at !== undefined) isBefore = !(instantOf(message.at) > untilMs);
    const told = message === first ? withoutNote(message, note) : message;
    return isBefore ? { ...told, isInherited: true } : told;
  });
  const { sessionId } = note;
  return {
    ...session,
    messages,
    startedAt: note.at,
    updatedAt: latest([session.updatedAt, note.at]) ?? note.at,
    origins: [...(session.origins ?? []), { sessionId, how: "handover" }],
  };
}

/**
 * Anybody can type such a note. What was handed over was said before the note says that it was, and
 * nothing of it was paid for here; nor was anything answered before somebody spoke here.
 */
function isBorneOut({ at }: HandoverNote, first: Message, session: Session): boolean {
  const untilMs = instantOf(at);
  if (first.at === undefined || instantOf(first.at) > untilMs) return false;
  const spoken = session.messages.find((message) => {
    return message.author === "user" && message.at !== undefined && instantOf(message.at) > untilMs;
  });
  const fromMs = spoken?.at === undefined ? Number.POSITIVE_INFINITY : instantOf(spoken.at);
  return !session.replies.some((reply) => {
    if (reply.at === undefined) return false;
    const ms = instantOf(reply.at);
    // Titles and memories are made beside what is said, as soon as a session is opened.
    return ms <= untilMs || (ms < fromMs && reply.purpose === undefined);
  });
}

function withoutNote(message: Message, { note, rest }: HandoverNote): Message {
  const injections = [{ kind: "handover-note" as const, text: note }, ...message.injections];
  const isPrompt = rest.trim() !== "" || message.attachments.length > 0;
  return { ...message, injections, isPrompt, typed: rest };
}
