import { readHandoverNote } from "./conversation.ts";
import type { HandoverNote } from "./conversation.ts";
import { instantOf } from "../instant.ts";
import type { Message } from "./message.ts";
import type { Session } from "./session.ts";
import { latest } from "../filter/time-range.ts";

/**
 * A session that continues a session of another agent says so at the beginning of its first prompt.
 * Messages up to the handover were said in the other session: they are shown here and counted
 * there.
 */
export function recogniseHandover(session: Session): Session {
  const first = session.messages.find(({ isPrompt }) => isPrompt);
  const note = first && readHandoverNote(first.typed ?? first.text);
  if (!note || !isBorneOut(note, first, session)) return session;
  const untilMs = instantOf(note.at);
  let isBefore = true;
  const messages = session.messages.map((message): Message => {
    // A message without a time belongs to the same side as the last message that has one.
    if (message.at !== undefined) isBefore = !(instantOf(message.at) > untilMs);
    const shown = message === first ? withoutNote(message, note) : message;
    return isBefore ? { ...shown, isInherited: true } : shown;
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
 * Checks a note against the session, because a user can type such a note. In a real handover the
 * first prompt is older than the time in the note, no reply was paid for before that time, and none
 * was paid for after it before the user wrote something.
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
    // Agents generate titles and memories as soon as a session is opened.
    return ms <= untilMs || (ms < fromMs && reply.purpose === undefined);
  });
}

function withoutNote(message: Message, { note, rest }: HandoverNote): Message {
  const injections = [{ kind: "handover-note" as const, text: note }, ...message.injections];
  const isPrompt = rest.trim() !== "" || message.attachments.length > 0;
  return { ...message, injections, isPrompt, typed: rest };
}
