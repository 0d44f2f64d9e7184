import { chatTurnsOf } from "./chat-turns.ts";
import type { Export } from "./export.ts";
import { compactJson } from "./json-text.ts";
import type { Session } from "../core/session/session.ts";

/** Chat messages in OpenAI's form: one line per session, `{"messages": […]}`. */
export const openai: Export = {
  name: "openai",
  title: "chat messages in OpenAI's form, one session per line",
  mediaType: "application/jsonl",
  extension: "openai.jsonl",
  subject: "sessions",
  async *write({ sessions }) {
    for await (const { session } of sessions) {
      const messages = [...messagesOf(session)];
      if (messages.length > 0) yield `${compactJson({ messages })}\n`;
    }
  },
};

function* messagesOf(session: Session): Generator<object> {
  for (const turn of chatTurnsOf(session)) {
    if (turn.role === "user") {
      yield { role: "user", content: turn.text };
      continue;
    }
    const { text, calls } = turn;
    const toolCalls = calls.map(({ id, name, args }) => {
      return { id, type: "function", function: { name, arguments: JSON.stringify(args) } };
    });
    const content = text.trim() === "" ? null : text;
    yield { role: "assistant", content, ...(calls.length > 0 ? { tool_calls: toolCalls } : {}) };
    for (const { id, output } of calls) yield { role: "tool", tool_call_id: id, content: output };
  }
}
