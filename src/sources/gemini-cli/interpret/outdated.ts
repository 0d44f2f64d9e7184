import { isPaid } from "../../../core/usage/counts.ts";
import { groupBy } from "../../../core/group.ts";
import type { Message } from "../../../core/session/message.ts";
import type { ToolCall } from "../../../core/session/tool-call.ts";
import type { PlayedFile } from "./file-replay.ts";
import { byContent, placeOf, sessionIdOf } from "./session.ts";

/**
 * Finds replaced contents whose data is all in newer contents of the same file. A document that is
 * rewritten on every change leaves hundreds of them, and none needs to be read again.
 */
export function outdatedOf(played: readonly PlayedFile[]): Set<PlayedFile> {
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
