import type { Message } from "../../../core/message.ts";
import { wrapperOf } from "../formats/user-text.ts";
import type { QueuedLine } from "./conversations.ts";

/** As much of a text as an outline holds, too. */
const COMPARED = 300;
/** As many lines as are looked for in one record. */
const MOST_JOINED = 20;

/**
 * Which lines of the queue no record repeats. A prompt that is typed while the program works is
 * not recorded at all up to 1.0, 2.0 has it in the queue alone, later versions say it again in a
 * record. Print mode queues every prompt. The same words may be typed more than once, so each line
 * takes the first record behind it that has them; 2.0 makes one record of lines that wait together.
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

/** The first line, the first two of them, and so on. */
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

/** Commands, ended tasks and the program's own messages are queued, too. */
export function isTyped(text: string): boolean {
  return text.trim() !== "" && wrapperOf(text) === undefined && !/^\s*(?:[/!]|\{")/.test(text);
}
