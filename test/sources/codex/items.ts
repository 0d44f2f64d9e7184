import type { Session } from "../../../src/core/session/session.ts";

interface Answered {
  callsSent?: { id: string }[];
}

/** The live conversation of a session as the items that the program would send. */
export function itemsOf(session: Session): { before(request: Answered): string[] } {
  const items: string[] = [];
  for (const { standing, author, text, toolCalls: all } of session.messages) {
    // Calls that the API runs itself are part of its answer.
    const toolCalls = all.filter(({ name }) => name !== "web_search");
    if (standing !== "live" || author === "notice") continue;
    if (author === "user") items.push(`user: ${text}`);
    else {
      if (text !== "") items.push(`assistant: ${text}`);
      for (const { name, id } of toolCalls) items.push(`call ${name} ${id}`);
      for (const { id, output } of toolCalls) if (output !== undefined) items.push(`output ${id}`);
    }
  }
  return { before: (request) => withoutAnswer(items, request) };
}

/** Removes the answer to a request: its text, its calls and their outputs. */
function withoutAnswer(items: readonly string[], { callsSent = [] }: Answered): string[] {
  const before = [...items];
  const calls = callsSent.map(({ id }) => id);
  for (let last = before.at(-1); last !== undefined; last = before.at(-1)) {
    const isText = last.startsWith("assistant: ");
    if (!isText && !calls.some((id) => last?.endsWith(id))) return before;
    before.pop();
    if (isText) return before;
  }
  return before;
}
