import { expect, test } from "vitest";
import type { Line } from "./made-home.ts";
import { event, LATER, said, sessionOf, START, THREAD } from "./made-home.ts";

test("a thread is named by its own renaming, not by a copied one", () => {
  const renamed = (thread_id: string, thread_name: string): Line => {
    return event("thread_name_updated", { thread_id, thread_name });
  };
  const lines = [...START, renamed(THREAD, "Ledger"), renamed(LATER, "Another")];
  expect(sessionOf(lines).summary).toBe("Ledger");
  expect(sessionOf(lines, "outline").summary).toBe("Ledger");
});

test("a message of an agent is not a prompt", () => {
  const sent = { author: "/root", recipient: "/root/a", content: "Add it up.", trigger_turn: true };
  const lines = [...START, { type: "inter_agent_communication", payload: sent }];
  const { messages, diagnostics } = sessionOf(lines);
  expect(messages.map(({ text, isPrompt }) => [text, isPrompt])).toEqual([["Add it up.", false]]);
  expect(diagnostics).toEqual([]);
});

test.each(["full", "outline"] as const)("what an editor adds was not typed: %s", (depth) => {
  const open = `## Open tabs:\n${"- ledger.py: src/ledger.py\n".repeat(20)}`;
  const context = `# Context from my IDE setup:\n\n${open}\n## My request for Codex:\n`;
  const lines = [
    ...START,
    said("user", `${context}Add it up.`),
    event("user_message", { message: `${context}Add it up.` }),
  ];
  const { messages } = sessionOf(lines, depth);
  expect(messages).toMatchObject([
    { isPrompt: true, typed: "Add it up.", injections: [{ kind: "editor-context" }] },
  ]);
  if (depth === "full") expect(messages[0]?.text).toBe(`${context}Add it up.`);
});

test.each([
  [
    "# Files mentioned by the user:\n\n## a.txt: /tmp/a.txt\n\n## My request:\nRead it.",
    "Read it.",
  ],
  ["<in-app-browser-context>\nopen\n</in-app-browser-context>\n## My request:\nGo.", "Go."],
  ["# Files mentioned by the user:\n\n## a.txt: /tmp/a.txt\n\n## My request:\n", undefined],
  ["# Plan:\n## My request is simple.", undefined],
])("%j has what was typed at its end, if anything", (text, typed) => {
  const lines = [...START, said("user", text), event("user_message", { message: text })];
  const { messages } = sessionOf(lines);
  expect(messages).toMatchObject([{ isPrompt: true, typed: typed ?? text }]);
});

test.each([
  `# ${":".repeat(500_000)}`,
  "# Plan:\n## My request:".repeat(30_000),
  "<proposed_plan>".repeat(60_000),
])(
  "a long prompt like one of an editor is read in seconds",
  (text) => {
    const lines = [...START, said("user", text), event("user_message", { message: text })];
    expect(sessionOf(lines).messages).toMatchObject([{ isPrompt: true, typed: text }]);
  },
  10_000,
);
