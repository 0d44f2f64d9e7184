import { describe, expect, test } from "vitest";
import type { RecordedMessage } from "../../../src/core/session/message.ts";
import { readMessage } from "../../../src/sources/gemini-cli/formats/message.ts";

const place = { file: "file", line: 1, start: 0, end: 1 };

function user(content: unknown, more: Record<string, unknown> = {}): RecordedMessage {
  const record = { id: "u1", type: "user", content, ...more };
  return readMessage(record, place, () => undefined);
}

function parts(...texts: string[]): { text: string }[] {
  return texts.map((text) => ({ text }));
}

const CONTEXT = "<session_context>\nThis is the Gemini CLI.\n</session_context>";

/** Whole messages that only the program writes. */
const INJECTED: readonly (readonly [kind: string, text: string])[] = [
  ["session-context", CONTEXT],
  [
    "session-context",
    "This is the Gemini CLI. We are setting up the context for our chat.\nToday's date is Sunday.",
  ],
  ["hook-context", "<hook_context>Be brief.</hook_context>"],
  [
    "agent-selection",
    "\n<system_note>\nThe user has explicitly selected the following agent(s): x\n</system_note>",
  ],
  [
    "shell-run",
    "I ran the following shell command:\n```sh\nls\n```\n\n" +
      "This produced the following result:\n```\na\n```",
  ],
  ["editor-context", "Here is the user's editor context as a JSON object. {}"],
  [
    "editor-context",
    "Here is a summary of changes in the user's editor context, in JSON format. {}",
  ],
  ["workspace", "- **Workspace Directories:**\n  - /home/ada/a\n  - /home/ada/b"],
  ["plan-mode", "User has manually exited Plan Mode. Switching to Default mode."],
  [
    "background-output",
    "Background execution update:\n<background_output>done</background_output>",
  ],
  ["continuation", "Please continue."],
  ["continuation", "System: Please continue."],
  ["loop-recovery", "System: Potential loop detected. Step back."],
  ["agent-recovery", "You have stopped calling tools without finishing. Call complete_task."],
  ["compression-summary", "<state_snapshot>\n  <overall_goal>x</overall_goal>\n</state_snapshot>"],
  ["history-repair", "[Continuing from previous AI thoughts...]"],
  ["history-repair", "The tool execution result was lost due to context management truncation."],
  ["tool-response", "[Function Response: read_file]"],
];

describe("texts that nobody typed", () => {
  test.each(INJECTED)("%s: %s", (kind, text) => {
    for (const message of [user(text), user(parts(text))]) {
      expect(message.isPrompt).toBe(false);
      expect(message.typed).toBeUndefined();
      expect(message.injections.map((injection) => injection.kind)).toEqual([kind]);
    }
  });

  test("tool responses are not prompts, with or without an image", () => {
    const response = {
      functionResponse: { id: "c1", name: "read_file", response: { output: "x" } },
    };
    const image = { inlineData: { mimeType: "image/png", data: "AAAA" } };
    expect(user([response]).isPrompt).toBe(false);
    expect(user([response, image]).isPrompt).toBe(false);
    expect(user([response]).results).toEqual([
      { callId: "c1", name: "read_file", output: "x", outcome: "success" },
    ]);
  });

  test("text after a tool response in the same message is a prompt", () => {
    const response = { functionResponse: { id: "c1", response: {} } };
    const message = user([response, { text: "Go on with that" }]);
    expect([message.isPrompt, message.typed]).toEqual([true, "Go on with that"]);
  });

  test("steering was typed but is not a prompt", () => {
    const message = user("User steering update:\n<user_input>\nUse tabs\n</user_input>");
    expect([message.isPrompt, message.typed]).toEqual([false, "Use tabs"]);
    expect(user("User hints: be quick").typed).toBe("be quick");
    expect(user("\nUser steering update:\n<user_input>\nA\n</user_input>\n").typed).toBe("A");
  });
});

describe("a prompt with text around it", () => {
  test("the start context is removed, and the prompt after it stays", () => {
    const merged = user(parts(CONTEXT, "First question"));
    expect([merged.isPrompt, merged.typed]).toEqual([true, "First question"]);
    const glued = user(`${CONTEXT}First question`);
    expect(glued.typed).toBe("First question");
  });

  test("hook context before or after it is removed", () => {
    expect(user("<hook_context>a</hook_context>\n\nDo it").typed).toBe("Do it");
    expect(user(parts("Do it", "<hook_context>a</hook_context>")).typed).toBe("Do it");
    const quoted = "What is <hook_context>a</hook_context>";
    expect(user(quoted).typed).toBe(quoted);
  });

  test("a tag quoted in a sentence stays", () => {
    const words = "Why does <hook_context>a</hook_context> stand in my file?";
    expect(user(words).typed).toBe(words);
  });

  test("text that looks like a command is a prompt", () => {
    for (const words of ["/etc/hosts is broken", "? what", "!important"]) {
      expect([user(words).isPrompt, user(words).typed]).toEqual([true, words]);
    }
  });

  test("an image alone is a prompt without text", () => {
    const message = user([{ inlineData: { mimeType: "image/png", data: "AAAA" } }]);
    expect([message.isPrompt, message.typed]).toEqual([true, undefined]);
    const image = { mediaType: "image/png", sizeBytes: 3, data: "AAAA" };
    expect(message.attachments).toEqual([image]);
  });

  test("an empty message is not a prompt", () => {
    for (const content of ["", [], {}, null, undefined, 7, [{}], "   "]) {
      expect(user(content).isPrompt).toBe(false);
    }
  });
});

describe("the displayed text is preferred", () => {
  test("over its expansion", () => {
    const message = user(parts("A long prompt from a file"), {
      displayContent: [{ text: "/review src" }],
    });
    expect([message.isPrompt, message.typed]).toEqual([true, "/review src"]);
    expect(message.text).toBe("A long prompt from a file");
  });

  test("in every form of content", () => {
    for (const displayContent of ["shown", { text: "shown" }, ["shown"], [{ text: "shown" }]]) {
      expect(user("full", { displayContent }).typed).toBe("shown");
    }
    expect(user("full", { displayContent: [] }).typed).toBe("full");
    expect(user("full", { displayContent: null }).typed).toBe("full");
  });
});

const HEADER = "\n--- Content from referenced files ---";
const FOOTER = "\n--- End of content ---";

describe("referenced files", () => {
  test("are read as parts", () => {
    const message = user(
      parts(
        "Explain @a.md and @b.md",
        HEADER,
        "\nContent from @a.md:\n",
        "Alpha\n",
        "\nContent from @b.md:\n",
        "Beta",
        FOOTER,
      ),
    );
    expect(message.typed).toBe("Explain @a.md and @b.md");
    expect(message.references).toEqual([
      { path: "a.md", content: "Alpha" },
      { path: "b.md", content: "Beta" },
    ]);
  });

  test("are read from one text", () => {
    const flat = `Explain @a.md${HEADER}\nContent from @a.md:\nAlpha\n\nBeta${FOOTER}`;
    const message = user(flat);
    expect(message.typed).toBe("Explain @a.md");
    expect(message.references).toEqual([{ path: "a.md", content: "Alpha\n\nBeta" }]);
  });

  test("are read without a footer", () => {
    const message = user(`Review @x/**${HEADER}\nContent from @x/a.md:\n# Step 1`);
    expect(message.typed).toBe("Review @x/**");
    expect(message.references).toEqual([{ path: "x/a.md", content: "# Step 1" }]);
  });

  test("may contain the delimiters", () => {
    const inner = `text${FOOTER}\nmore text`;
    const message = user(`Read @a.md${HEADER}\nContent from @a.md:\n${inner}${FOOTER}`);
    expect(message.references).toEqual([{ path: "a.md", content: inner }]);
  });

  test("may be followed by text after the footer", () => {
    const message = user(
      `Read @a.md${HEADER}\nContent from @a.md:\nx${FOOTER}<hook_context>h</hook_context>`,
    );
    expect(message.typed).toBe("Read @a.md");
    expect(message.injections.map(({ kind }) => kind)).toEqual(["hook-context"]);
  });

  test("of an MCP server are read without the header (0.23 to 0.27)", () => {
    const flat = user("Sum up @docs://guide\nContent from @docs://guide:\nRead it.");
    expect(flat.typed).toBe("Sum up @docs://guide");
    expect(flat.references).toEqual([{ path: "docs://guide", content: "Read it." }]);
  });

  test("of an MCP server are read beside files (0.28 and later)", () => {
    const message = user(
      parts(
        "@docs://g @a.md",
        HEADER,
        "\nContent from @docs://g:\n",
        "G",
        "\nContent from @a.md:\n",
        "A",
        FOOTER,
      ),
    );
    expect(message.references.map(({ path }) => path)).toEqual(["docs://g", "a.md"]);
  });

  test("of an editor are read without a closing line", () => {
    const message = user(
      parts(
        "Look at this",
        "\n--- Content from referenced context ---",
        "\nContent from @file:///a.ts:\n",
        "code",
      ),
    );
    expect(message.typed).toBe("Look at this");
    expect(message.references).toEqual([{ path: "file:///a.ts", content: "code" }]);
  });

  test("are not found in a sentence about them", () => {
    const words = "The line\nContent from @somewhere:\nis not mine";
    expect(user(words).typed).toBe(words);
    expect(user(words).references).toEqual([]);
  });
});
