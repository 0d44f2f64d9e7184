import { randomUUID } from "node:crypto";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readHandoverNote } from "../../src/core/conversation.ts";
import type { Message } from "../../src/core/message.ts";
import type { Session } from "../../src/core/session.ts";
import { checkPlan, undoHandover, writeHandover } from "../../src/ingest/handover.ts";
import { prepareHandover } from "../../src/queries/handover.ts";
import { sources } from "../../src/sources/index.ts";
import type { HandoverRequest } from "../../src/sources/source.ts";

const NOW = Date.UTC(2026, 10, 15, 12);
const PLACE = { file: "f", line: 1, start: 0, end: 1 };

function message(author: Message["author"], text: string, more: Partial<Message> = {}): Message {
  return {
    id: randomUUID(),
    author,
    text,
    at: "2026-11-15T10:00:00.000Z",
    isPrompt: author === "user",
    references: [],
    injections: [],
    thoughts: [],
    toolCalls: [],
    results: [],
    attachments: [],
    hasRecordedCalls: false,
    form: "text",
    signature: "",
    partSignatures: [],
    standing: "live",
    place: PLACE,
    places: [PLACE],
    ...more,
  };
}

function call(id: string, more: object = {}): Message["toolCalls"][number] {
  const known = { label: "Read", canonical: "file_read", category: "Read" } as const;
  return { id, name: "read_file", ...known, args: { path: "a" }, output: "A", ...more };
}

function session(...messages: Message[]): Session {
  return {
    id: "old-session",
    source: "gemini-cli",
    ledgerName: "gemini",
    kind: "main",
    project: { name: "ledger", path: "/home/ada/projects/ledger", knownBy: "recorded" },
    directories: [],
    messages,
    replies: [],
    compressions: [],
    isImport: false,
    files: [],
    diagnostics: [],
  };
}

const options = { sourceName: "Gemini CLI", nowMs: NOW };

describe("a conversation that is handed over", () => {
  test("is what is live, with new ids and a result for each call", () => {
    const { conversation, losses } = prepareHandover(
      session(
        message("user", "read it"),
        message("model", "I look.", {
          thoughts: [{ subject: "a", description: "b" }],
          toolCalls: [call("same"), call("same", { output: undefined, name: "7 odd/name" })],
        }),
        message("user", "taken back", { standing: "rewound" }),
        message("notice", "the program says"),
        message("user", "<context>", {
          isPrompt: false,
          injections: [{ kind: "reminder", text: "x" }],
        }),
        message("model", ""),
      ),
      options,
    );
    expect(conversation.items.map(({ kind }) => kind)).toEqual(["prompt", "answer"]);
    const answer = conversation.items[1];
    expect(answer?.kind === "answer" && answer.calls).toMatchObject([
      { id: "handover_1", name: "read_file", output: "A", isError: false },
      { id: "handover_2", name: "_7_odd_name", output: "[No result was recorded.]", isError: true },
    ]);
    expect(losses.map(({ what }) => what).toSorted()).toEqual([
      "injected text",
      "missing result",
      "notice",
      "thought",
    ]);
  });

  test("begins with a prompt that tells where it comes from", () => {
    const { conversation } = prepareHandover(
      session(message("model", "I am done."), message("user", "thanks")),
      options,
    );
    const [first] = conversation.items;
    expect(first?.kind).toBe("prompt");
    const note = readHandoverNote(first?.text ?? "");
    expect(note).toMatchObject({ source: "gemini-cli", sessionId: "old-session" });
    expect(note?.rest).toContain("was not recorded");
  });

  test("without a prompt is refused with a sentence", () => {
    expect(() => prepareHandover(session(message("model", "hi")), options)).toThrow(/no prompt/);
  });

  test("fits: old outputs are shortened first, then the middle is left out, and both are told", () => {
    const turns = Array.from({ length: 40 }, (_, at) => [
      message("user", `question ${at} ${"words ".repeat(100)}`),
      message("model", "looking", { toolCalls: [call(`c${at}`, { output: "x".repeat(4000) })] }),
    ]);
    const whole = session(...turns.flat());
    const all = prepareHandover(whole, options).tokens;
    const shorter = prepareHandover(whole, { ...options, fitTokens: Math.floor(all * 0.6) });
    expect(shorter.tokens).toBeLessThanOrEqual(all * 0.6);
    expect(shorter.losses.map(({ what }) => what)).toEqual(["old output"]);
    const short = prepareHandover(whole, { ...options, fitTokens: 3000 });
    expect(short.tokens).toBeLessThanOrEqual(3300);
    expect(short.losses.map(({ what }) => what)).toContain("message");
    const texts = short.conversation.items.map(({ text }) => text).join("\n");
    expect(texts).toMatch(/messages of the conversation were left out here to fit/);
    expect(texts).toContain("question 39");
    expect(texts).toContain("Continued from Gemini CLI");
  });
});

function requestAt(root: string): HandoverRequest {
  return {
    root,
    newId: randomUUID(),
    uuid: randomUUID,
    platform: "linux",
    nowMs: NOW,
    localOffsetMinutes: () => 60,
  };
}

const words = fc.oneof(
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 60 }),
  fc.constantFrom(
    "/clear",
    "<system-reminder>x</system-reminder>",
    "<command-name>/x</command-name>",
    "[Request interrupted by user]",
    "<session_context>a",
    "? help",
    "\ud800 half",
    "\u001b[31mred",
    "--- Content from referenced files ---",
    "# AGENTS.md instructions for /x",
    "<environment_context>y",
  ),
);
const anyCall = fc.record({
  id: fc.string(),
  name: fc.string({ maxLength: 80 }),
  args: fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 3 }),
  output: fc.option(words, { nil: undefined }),
  outcome: fc.constantFrom("success", "error", "cancelled"),
});
const anyMessage = fc.oneof(
  words.map((text) => message("user", text)),
  fc.tuple(words, fc.array(anyCall, { maxLength: 3 })).map(([text, calls]) => {
    return message("model", text, { toolCalls: calls.map((one) => call(one.id, one)) });
  }),
);

/** Sources that can write a conversation of another agent. */
const targets = sources.filter(({ abilities }) => abilities.handover !== undefined);

describe.each(targets)("written for $name", (source) => {
  test("any session is read back to the same conversation by our own reader", () => {
    fc.assert(
      fc.property(fc.array(anyMessage, { minLength: 1, maxLength: 8 }), (messages) => {
        const told = session(message("user", "begin"), ...messages);
        const { conversation } = prepareHandover(told, options);
        const root = "/nowhere/at/all";
        const plan = source.abilities.handover?.plan(conversation, requestAt(root));
        expect(plan).toBeDefined();
        if (plan) checkPlan(plan, conversation, { source, root });
      }),
      { numRuns: 150 },
    );
  });

  test("is new, whole, and can be taken away until the agent writes to it", () => {
    const root = mkdtempSync(join(tmpdir(), "pollux-handover-"));
    const { conversation } = prepareHandover(session(message("user", "go on")), options);
    const plan = source.abilities.handover?.plan(conversation, requestAt(root));
    if (!plan) throw new Error("no plan");
    const receipt = writeHandover(plan, conversation, { source, root, nowMs: NOW });
    expect(() => writeHandover(plan, conversation, { source, root, nowMs: NOW })).toThrow(
      /already/,
    );
    expect(undoHandover({ ...receipt, sha256: "other" })).toBe("changed");
    expect(undoHandover(receipt)).toBe("removed");
    expect(undoHandover(receipt)).toBe("gone");
  });
});
