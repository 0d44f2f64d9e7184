import type { Message } from "../core/message.ts";
import { groupBy } from "../core/group.ts";
import type { ToolCall } from "../core/tool-call.ts";
import { isPaid } from "../core/usage.ts";
import type { PlayedFile } from "../sources/gemini-cli/interpret/session.ts";
import { byContent, placeOf } from "../sources/gemini-cli/interpret/session.ts";
import { sessionIdOf } from "./assemble.ts";

/**
 * Replaced contents of which newer contents of the same file hold everything: a document that is
 * rewritten with every change leaves hundreds of them, and none has to be read again.
 */
export function outdatedOf<T extends PlayedFile>(played: readonly T[]): Set<T> {
  if (!played.some(({ file }) => file.replaced)) return new Set();
  const outdated = new Set<T>();
  const places = groupBy(played, (one) => `${sessionIdOf(one)} ${placeOf(one)}`);
  for (const contents of places.values()) {
    const known = new Map<string, Message[]>();
    for (const one of contents.toSorted((a, b) => byContent(b, a))) {
      const { messages } = one.replay;
      if (one.file.replaced && messages.every((message) => isHeld(message, known))) {
        outdated.add(one);
        continue;
      }
      for (const message of messages) {
        known.set(message.id, [...(known.get(message.id) ?? []), message]);
      }
    }
  }
  return outdated;
}

/** Newer contents together tell all that this one does. */
function isHeld(message: Message, known: ReadonlyMap<string, readonly Message[]>): boolean {
  const newer = known.get(message.id);
  if (!newer) return false;
  if (message.text !== "" && newer.every(({ text }) => text === "")) return false;
  if (isPaid(message.usage) && !newer.some(({ usage }) => isPaid(usage))) return false;
  const calls = newer.flatMap(({ toolCalls }) => toolCalls);
  return message.toolCalls.every((call) => isCallHeld(call, calls));
}

/** Long outputs are masked later: what stays in the newer content is a preview. */
function isCallHeld(call: ToolCall, calls: readonly ToolCall[]): boolean {
  return calls.some(({ id, output, isCut }) => {
    if (id !== call.id) return false;
    return call.output === undefined || (output !== undefined && (!isCut || call.isCut === true));
  });
}
