import type { Message } from "../../../core/message.ts";
import { wrapperOf } from "../formats/user-text.ts";
import type { Node, NodeBase } from "../formats/record.ts";
import type { Conversation } from "./conversations.ts";

/** A prompt that only the queue of the program tells. */
export interface QueuedPrompt {
  text: string;
  base: NodeBase;
  /** The record that it stands behind. */
  follows?: Node;
}

/** As much of a text as an outline holds, too. */
const COMPARED = 300;

/**
 * A prompt that is typed while the program works: up to 1.0 it is not recorded at all, 2.0 has it
 * in the queue alone, later versions repeat it as a record. Print mode queues every prompt.
 */
export function queuedPrompts(
  { queued, nodes }: Conversation,
  messages: readonly Message[],
): QueuedPrompt[] {
  const said = new Set(messages.flatMap(wordsOf).map(normal));
  const found: QueuedPrompt[] = [];
  const add = (text: string, prompt: Omit<QueuedPrompt, "text">): void => {
    const key = normal(text);
    if (said.has(key) || !isTyped(text)) return;
    said.add(key);
    found.push({ text, ...prompt });
  };
  for (const { text, at, place, follows } of queued) {
    const base = { place, uuid: `queued-${place.start}`, isSidechain: false, at };
    add(text, { base, ...(follows ? { follows } : {}) });
  }
  for (const node of nodes) {
    if (node.kind === "context" && node.queued !== undefined) {
      add(node.queued, { base: node, follows: node });
    }
  }
  return found;
}

function wordsOf({ author, text, typed }: Message): string[] {
  if (author !== "user") return [];
  return typed === undefined || typed === text ? [text] : [text, typed];
}

function normal(text: string): string {
  return text.replace(/\s+/g, " ").trim().slice(0, COMPARED);
}

/** Commands, ended tasks and the program's own messages are queued, too. */
function isTyped(text: string): boolean {
  return text.trim() !== "" && wrapperOf(text) === undefined && !/^\s*(?:[/!]|\{")/.test(text);
}
