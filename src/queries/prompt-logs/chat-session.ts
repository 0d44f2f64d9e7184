import { addAll } from "../../core/lists.ts";
import type { Message, RecordedMessage, ToolResult } from "../../core/message.ts";
import { emptyMessage } from "../../core/message.ts";
import { optional } from "../../core/optional.ts";
import type { PromptLog } from "../../core/prompt-log.ts";
import type { SavedChat } from "../../core/saved-chat.ts";
import type { Session } from "../../core/session.ts";
import { emptySession } from "../../core/session.ts";
import type { ToolCall } from "../../core/tool-call.ts";

/**
 * A chat saved by hand, told as a session, so that whatever can be asked of a session can be asked
 * of it. It has no ids, no times and no token counts of its own: messages are named by position.
 */
export function sessionOfChat(chat: SavedChat, ledgerName: string): Session {
  const messages = chat.messages.map((message, index) => nameMessage(chat.id, message, index + 1));
  pairResults(messages);
  return {
    ...emptySession(chat.id, chat.project),
    source: chat.source,
    ledgerName,
    summary: `Saved chat "${chat.tag}"`,
    messages,
    files: [
      {
        path: chat.file,
        root: "",
        role: "saved-chat",
        format: "saved-chat",
        generation: "unknown",
        sizeBytes: chat.sizeBytes,
        modifiedMs: chat.modifiedMs,
        isCleaned: false,
        part: "whole",
      },
    ],
  };
}

/** What was typed in a session, told as a session of prompts alone. */
export function sessionOfLog(log: PromptLog, ledgerName: string): Session {
  const messages = log.prompts.map(({ text, at, place }, index): Message => {
    const id = `${log.sessionId}-prompt-${index + 1}`;
    const said = { ...emptyMessage("user"), isPrompt: true, text, typed: text };
    return { ...said, id, ...optional("at", at), place, standing: "live", places: [place] };
  });
  const { sessionId, project, source } = log;
  return { ...emptySession(sessionId, project), source, ledgerName, messages };
}

function nameMessage(chatId: string, message: RecordedMessage, number: number): Message {
  const toolCalls = message.toolCalls.map((call, index) => {
    // An id that was never recorded is only a position: made unique by the message's.
    const isInvented = call.id === `${call.name}#${index}`;
    return isInvented ? { ...call, id: `${call.name}-${number}-${index + 1}` } : { ...call };
  });
  const id = `${chatId}-${number}`;
  return { ...message, id, toolCalls, standing: "live", places: [message.place] };
}

/**
 * Gives each call the result that came back for it: by its id, or, where none was recorded, in
 * the order in which calls of that name were made.
 */
export function pairResults(messages: readonly Message[]): void {
  const waiting: ToolCall[] = [];
  for (const message of messages) {
    for (const result of message.results) {
      const index = waiting.findIndex((call) => isAnswer(call, result));
      const [call] = index === -1 ? [] : waiting.splice(index, 1);
      if (!call) continue;
      call.output ??= result.output;
      call.outcome ??= result.outcome;
    }
    addAll(
      waiting,
      message.toolCalls.filter((call) => call.outcome === undefined),
    );
  }
}

function isAnswer(call: ToolCall, result: ToolResult): boolean {
  return result.callId === undefined ? call.name === result.name : call.id === result.callId;
}
