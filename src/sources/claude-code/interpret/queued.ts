import type { Message } from "../../../core/session/message.ts";
import type { Node, Queued } from "../content.ts";
import { injectionKindOf } from "../formats/user-text.ts";

/** A queued prompt, with the record before it. */
export interface QueuedLine extends Queued {
  follows?: Node;
}

/** Compared length; an outline has at least as much. */
const COMPARED = 300;
/** Most queued lines that are matched against one record. */
const MOST_JOINED = 20;

/**
 * Returns the queued lines that no record repeats. A prompt typed while Claude Code works is not
 * recorded at all up to 1.0; 2.0 has it only in the queue; later versions repeat it in a record.
 * Print mode queues every prompt. The same text may be typed more than once, so each line claims
 * the first later record with its text; 2.0 joins lines that wait together into one record.
 */
export function unrepeated(
  queued: readonly QueuedLine[],
  messages: readonly Message[],
  shownBefore: (line: QueuedLine) => Message | undefined,
): QueuedLine[] {
  const order = new Map(messages.map((message, at) => [message, at]));
  const said = placesOfWords(messages);
  const take = (words: string, from: number): boolean => {
    const places = said.get(words) ?? [];
    const at = places.findIndex((place) => place > from);
    if (at !== -1) places.splice(at, 1);
    return at !== -1;
  };
  const waiting = queued.filter(({ text }) => isTyped(text));
  const left: QueuedLine[] = [];
  for (let line = waiting[0]; line; line = waiting[0]) {
    const before = shownBefore(line);
    const from = before ? (order.get(before) ?? -1) : -1;
    const together = joined(waiting).findIndex((words) => take(words, from));
    if (together === -1) left.push(line);
    waiting.splice(0, Math.max(together + 1, 1));
  }
  return left;
}

/** Returns the first line, the first two joined, and so on. */
function joined(lines: readonly QueuedLine[]): string[] {
  return lines.slice(0, MOST_JOINED).map((_, at) => {
    return normal(
      lines
        .slice(0, at + 1)
        .map(({ text }) => text)
        .join("\n"),
    );
  });
}

function placesOfWords(messages: readonly Message[]): Map<string, number[]> {
  const places = new Map<string, number[]>();
  for (const [at, { author, text, typed = text }] of messages.entries()) {
    if (author !== "user") continue;
    for (const words of new Set([normal(text), normal(typed)])) {
      const known = places.get(words);
      if (known) known.push(at);
      else places.set(words, [at]);
    }
  }
  return places;
}

function normal(text: string): string {
  return text.replace(/\s+/g, " ").trim().slice(0, COMPARED);
}

/**
 * Whether a queued text was typed: commands, notifications and internal messages are queued too.
 */
export function isTyped(text: string): boolean {
  return (
    text.trim() !== "" && injectionKindOf(text) === undefined && !/^\s*(?:[/!]|\{")/.test(text)
  );
}
