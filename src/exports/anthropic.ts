import { addAll } from "../core/lists.ts";
import type { Session } from "../core/session/session.ts";
import { chatTurnsOf } from "./chat-turns.ts";
import type { Export } from "./export.ts";
import { compactJson } from "./json-text.ts";

/** Chat messages in Anthropic's form: one line per session, `{"messages": […]}`. */
export const anthropic: Export = {
  name: "anthropic",
  title: "chat messages in Anthropic's form, one session per line",
  mediaType: "application/jsonl",
  extension: "anthropic.jsonl",
  subject: "sessions",
  async *write({ sessions }) {
    for await (const { session } of sessions) {
      const messages = messagesOf(session);
      if (messages.length > 0) yield `${compactJson({ messages })}\n`;
    }
  },
};

interface ChatMessage {
  role: "user" | "assistant";
  content: object[];
}

/** Roles alternate, the user comes first, and results follow their calls directly. */
function messagesOf(session: Session): ChatMessage[] {
  const messages: ChatMessage[] = [];
  const say = (role: ChatMessage["role"], blocks: object[]): void => {
    const last = messages.at(-1);
    if (blocks.length === 0) return;
    if (last?.role === role) addAll(last.content, blocks);
    else messages.push({ role, content: blocks });
  };
  for (const turn of chatTurnsOf(session)) {
    if (turn.role === "user") {
      say("user", [textBlock(turn.text)]);
      continue;
    }
    // A conversation that was split may begin in the middle of a turn.
    if (messages.length === 0) say("user", [textBlock("[the beginning was not recorded]")]);
    const { text, calls } = turn;
    say("assistant", [
      ...(text.trim() === "" ? [] : [textBlock(text)]),
      ...calls.map(({ id, name, args }) => ({ type: "tool_use", id, name, input: args })),
    ]);
    say(
      "user",
      calls.map(({ id, output, isError }) => {
        const failed = isError ? { is_error: true } : {};
        return { type: "tool_result", tool_use_id: id, content: output, ...failed };
      }),
    );
  }
  return messages;
}

function textBlock(text: string): object {
  return { type: "text", text };
}
