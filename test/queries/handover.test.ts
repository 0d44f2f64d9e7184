import { mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readHandoverNote } from "../../src/core/session/conversation.ts";
import type { InjectionKind, Message } from "../../src/core/session/message.ts";
import type { HandoverReceipt } from "../../src/ingest/handover.ts";
import { undoHandover, writeHandover } from "../../src/ingest/handover.ts";
import { prepareHandover } from "../../src/queries/handover/prepare.ts";
import { sources } from "../../src/sources/index.ts";
import { call, message, NOW, requestAt, session } from "../samples/handover.ts";

const options = { sourceName: "Gemini CLI", nowMs: NOW };

describe("a handed-over conversation", () => {
  test("contains live messages, with new ids and a result for each call", () => {
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

  test("carries images of results with their calls, or beside them as text", () => {
    const picture = (data: string) => ({ mediaType: "image/png", data });
    const brought = { kind: "tool-response", text: "" } as const;
    const recorded = session(
      message("user", "look"),
      message("model", "I look.", { toolCalls: [call("a"), call("b")] }),
      message("user", "", {
        isPrompt: false,
        injections: [brought],
        results: [{ callId: "a", output: "A", outcome: "success" }],
        attachments: [picture("QQ==")],
      }),
      message("model", "And there.", {
        toolCalls: [call("c", { attachments: [picture("Qg==")] }), call("d")],
      }),
      // Old programs pass an image to the model as a message that answers no call.
      message("user", "", {
        isPrompt: false,
        injections: [brought],
        attachments: [picture("Qw==")],
      }),
    );
    const { conversation, losses } = prepareHandover(recorded, options);
    const calls = conversation.items.flatMap((item) => (item.kind === "answer" ? item.calls : []));
    expect(calls.map(({ pictures }) => pictures.map(({ data }) => data))).toEqual([
      ["QQ=="],
      [],
      ["Qg=="],
      ["Qw=="],
    ]);
    expect(losses).toEqual([]);
    const asText = prepareHandover(recorded, { ...options, tools: "as-text" }).conversation.items;
    expect(asText.map((item) => (item.kind === "prompt" ? item.pictures.length : "-"))).toEqual([
      0,
      "-",
      1,
      "-",
      2,
    ]);
  });

  test("puts a summary before the kept messages, and drops texts that no model wrote", () => {
    const summary = (text: string, more: Partial<Message> = {}): Message => {
      const injections = [{ kind: "compression-summary" as const, text }];
      return message("user", text, { isPrompt: false, injections, ...more });
    };
    const thanks = message("model", "Got it. Thanks for the additional context!");
    const recorded = session(
      message("user", "old", { standing: "rewritten", reason: "compression" }),
      message("model", "kept word for word"),
      summary("in short", { id: "s" }),
      thanks,
      message("user", "go on"),
      thanks,
    );
    const compressions = [{ how: "summary", messageId: "s", keeps: "behind" }] as const;
    const { conversation } = prepareHandover(
      { ...recorded, compressions: [...compressions] },
      options,
    );
    expect(conversation.items.map(({ text }) => text.split("\n").at(-1))).toEqual([
      "in short",
      expect.stringContaining("[Continued from"),
      "kept word for word",
      "go on",
      "Got it. Thanks for the additional context!",
    ]);
  });

  test("contains the messages behind an encrypted summary, back to the last readable summary", () => {
    const replaced = { standing: "rewritten", reason: "compression" } as const;
    const summary = (text: string, more: Partial<Message> = {}): Message => {
      const injections = [{ kind: "compression-summary" as const, text }];
      return message("user", text, { isPrompt: false, injections, ...more });
    };
    const recorded = session(
      message("user", "long ago", replaced),
      summary("in short", replaced),
      message("user", "kept"),
      message("model", "before", replaced),
      message("user", "taken back", { standing: "rewound" }),
      summary("", replaced),
      message("model", "between", replaced),
      summary(""),
      message("model", "after"),
    );
    const { conversation, losses } = prepareHandover(recorded, options);
    expect(conversation.items.map(({ text }) => text.split("\n").at(-1))).toEqual([
      "in short",
      "kept",
      "before",
      "between",
      "after",
    ]);
    expect(losses).toMatchObject([{ what: "summary", why: expect.stringMatching(/are carried$/) }]);
    const bare = prepareHandover(session(message("user", "kept"), summary("")), options);
    expect(bare.losses).toMatchObject([{ why: expect.stringMatching(/are not recorded$/) }]);
  });

  test("reports images that could not be carried over, and a size above the limit", () => {
    const data = "aGVsbG8=";
    const picture = (mediaType: string) => ({ mediaType, data });
    const { conversation, losses } = prepareHandover(
      session(
        message("user", "look", { attachments: [picture("image/png"), picture("image/svg+xml")] }),
        message("model", "I look.", {
          toolCalls: [call("a")],
          attachments: [picture("image/png")],
        }),
        message("user", "", {
          isPrompt: false,
          injections: [{ kind: "tool-response", text: "" }],
          attachments: [picture("application/pdf")],
        }),
      ),
      { ...options, fitTokens: 1 },
    );
    const [first] = conversation.items;
    expect(first?.kind === "prompt" && first.pictures).toEqual([picture("image/png")]);
    expect(losses).toMatchObject([
      { what: "attachment", count: 2 },
      { what: "picture of the model", count: 1 },
      { what: "room" },
    ]);
  });

  test("begins at the named message", () => {
    const named = session(
      message("user", "first", { id: "m:10" }),
      message("user", "second", { id: "m:11" }),
      message("user", "third", { id: "m:1" }),
    );
    const from = (fromMessageId: string) => prepareHandover(named, { ...options, fromMessageId });
    expect(from("m:1").conversation.items).toHaveLength(1);
    expect(from("m:10").conversation.items).toHaveLength(3);
    expect(() => from("m")).toThrow(/Several/);
    expect(() => from("x")).toThrow(/No live message/);
  });

  test("begins with a prompt that names the original session", () => {
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

  test("contains results of commands that a person ran", () => {
    const injected = (kind: InjectionKind, text: string): Message => {
      return message("user", text, { isPrompt: false, injections: [{ kind, text }] });
    };
    const { conversation } = prepareHandover(
      session(
        injected("slash-command", "<command-name>/tidy</command-name>"),
        injected("slash-command", "Tidy the file notes.md please."),
        injected("instructions", "be nice"),
        injected("shell-run", "I ran ls"),
        injected("task-notification", "the agent found two notes"),
      ),
      options,
    );
    expect(conversation.items.map(({ text }) => text.split("\n").at(-1))).toEqual([
      "Tidy the file notes.md please.",
      "I ran ls",
      "the agent found two notes",
    ]);
  });

  test("is refused without a prompt", () => {
    expect(() => prepareHandover(session(message("model", "hi")), options)).toThrow(/no prompt/);
  });

  test("is shortened to fit: old outputs first, then the middle, and both are reported", () => {
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

/** Every file below a folder, with its content. */
function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .toSorted()
    .map((path) => `${path}\n${readFileSync(path, "utf8")}`);
}

/** Sources that can write another agent's conversation. */
const targets = sources.filter(({ abilities }) => abilities.handover !== undefined);

describe.each(targets)("written for $name", (source) => {
  const undo = (receipt: HandoverReceipt) => undoHandover(receipt, { source, nowMs: NOW });

  test("is a new file that can be removed until the agent writes to it", () => {
    const root = mkdtempSync(join(tmpdir(), "pollux-handover-"));
    const { conversation } = prepareHandover(session(message("user", "go on")), options);
    const plan = source.abilities.handover?.plan(conversation, requestAt(root));
    if (!plan) throw new Error("no plan");
    const receipt = writeHandover(plan, conversation, { source, root, nowMs: NOW });
    expect(() => writeHandover(plan, conversation, { source, root, nowMs: NOW })).toThrow(
      /already/,
    );
    expect(undo({ ...receipt, sha256: "other" })).toBe("changed");
    expect(undo(receipt)).toBe("removed");
    expect(undo(receipt)).toBe("gone");
    expect(readdirSync(root)).toEqual([]);
  });

  test("is removed without a trace, and without changes to other sessions", () => {
    const root = mkdtempSync(join(tmpdir(), "pollux-handover-"));
    const write = (directory: string) => {
      const request = { ...options, directory };
      const { conversation } = prepareHandover(session(message("user", "go on")), request);
      const plan = source.abilities.handover?.plan(conversation, requestAt(root));
      if (!plan) throw new Error("no plan");
      return writeHandover(plan, conversation, { source, root, nowMs: NOW });
    };
    const [first, other] = [write("/home/ada/one"), write("/home/ada/other")];
    const before = filesIn(root);
    const again = write("/home/ada/one");
    expect(undo(again)).toBe("removed");
    expect(filesIn(root)).toEqual(before);
    const third = write("/home/ada/third");
    expect(undo(third)).toBe("removed");
    expect(filesIn(root)).toEqual(before);
    // In the order of writing: lists have grown since the first.
    expect([undo(first), undo(other)]).toEqual(["removed", "removed"]);
    expect(filesIn(root).filter((file) => /one|other/.test(file))).toEqual([]);
  });
});
