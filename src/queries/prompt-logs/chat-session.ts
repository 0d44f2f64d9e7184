import { addAll } from "../../core/lists.ts";
import type { Message, RecordedMessage, ToolResult } from "../../core/session/message.ts";
import { emptyMessage } from "../../core/session/message.ts";
import { optional } from "../../core/optional.ts";
import type { PromptLog } from "../../core/session/prompt-log.ts";
import type { SavedChat } from "../../core/session/saved-chat.ts";
import type { Session } from "../../core/session/session.ts";
import { emptySession } from "../../core/session/session.ts";
import type { ToolCall } from "../../core/session/tool-call.ts";

/**
 * Converts a saved chat into a session, so that every query works on it. A saved chat has no ids,
 * times or token counts; messages get ids from their position.
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

/** Converts a prompt log into a session that has only prompts. */
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
    // A missing id was filled in from the call's position; the message number makes it unique.
    const isInvented = call.id === `${call.name}#${index}`;
    return isInvented ? { ...call, id: `${call.name}-${number}-${index + 1}` } : { ...call };
  });
  const id = `${chatId}-${number}`;
  return { ...message, id, toolCalls, standing: "live", places: [message.place] };
}

/**
 * Assigns results to their calls: by id, or, where none was recorded, in the order of the calls
 * with the same tool name.
 */
function pairResults(messages: readonly Message[]): void {
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
