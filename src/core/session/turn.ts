import type { Message } from "./message.ts";

/** One prompt and everything until the next prompt. */
export interface Turn {
  number: number;
  /** Absent for messages before the first prompt. */
  prompt?: Message;
  messages: Message[];
}

export function turnsOf(messages: Iterable<Message>): Turn[] {
  const turns: Turn[] = [];
  for (const message of messages) {
    const current = turns.at(-1);
    if (message.isPrompt) {
      const number = (current?.number ?? 0) + 1;
      turns.push({ number, prompt: message, messages: [message] });
    } else if (current) current.messages.push(message);
    else turns.push({ number: 0, messages: [message] });
  }
  return turns;
}
