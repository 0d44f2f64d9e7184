import { expect, test } from "vitest";
import type { Line } from "./made-home.ts";
import { event, LATER, sessionOf, START, THREAD } from "./made-home.ts";

test("a thread is named by its own renaming, not by a copied one", () => {
  const renamed = (thread_id: string, thread_name: string): Line => {
    return event("thread_name_updated", { thread_id, thread_name });
  };
  const lines = [...START, renamed(THREAD, "Ledger"), renamed(LATER, "Another")];
  expect(sessionOf(lines).summary).toBe("Ledger");
  expect(sessionOf(lines, "outline").summary).toBe("Ledger");
});

test("a message of an agent is not a prompt", () => {
  const told = { author: "/root", recipient: "/root/a", content: "Add it up.", trigger_turn: true };
  const lines = [...START, { type: "inter_agent_communication", payload: told }];
  const { messages, diagnostics } = sessionOf(lines);
  expect(messages.map(({ text, isPrompt }) => [text, isPrompt])).toEqual([["Add it up.", false]]);
  expect(diagnostics).toEqual([]);
});
