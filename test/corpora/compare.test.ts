// @module-tag slow
import { describe, expect, test } from "vitest";
import type { Message } from "../../src/core/session/message.ts";
import type { Session } from "../../src/core/session/session.ts";
import { geminiCli } from "../../src/sources/gemini-cli/index.ts";
import known from "../sources/gemini-cli/corpus/known.json" with { type: "json" };
import { compareTree } from "./compare.ts";
import { compareLive } from "./live.ts";
import { readTree } from "./read-tree.ts";
import { committedTrees } from "./trees.ts";
import type { TrueRequest, Truth } from "./truth.ts";
import { truthOf } from "./truth.ts";

const named: Record<string, object> = known.trees;

describe("compareTree", () => {
  const trees = committedTrees("gemini-cli");

  test.each(trees)("finds only the known differences: $name", (tree) => {
    const difference = compareTree(truthOf(tree), readTree(geminiCli, tree).sessions);
    const { projects: _projects, ...aspects } = (named[tree.name] ?? {}) as { projects?: unknown };
    expect(Object.keys(difference).toSorted()).toEqual(Object.keys(aspects).toSorted());
  });

  test("finds differences in everything when no session is given", () => {
    const tree = trees.find(({ name }) => name === "0.39.1/tools");
    const truth = tree ? truthOf(tree) : undefined;
    expect(truth && compareTree(truth, [])).toMatchObject({
      prompts: { missing: truth?.prompts, extra: [] },
      tokens: { "gemini-2.5-pro": expect.stringContaining("requests -") as string },
      tools: { read_file: expect.stringMatching(/^0\/0\/0\/0 instead of/) as string },
    });
  });
});

describe("compareLive", () => {
  const answered = (sent: string[], text: string): TrueRequest => ({
    seq: 1,
    role: "conversation",
    kind: "main",
    model: "m",
    isComplete: true,
    sent,
    texts: [text],
    thoughts: [],
  });
  const truth: Truth = {
    version: "1",
    scenario: "rewind",
    description: "",
    project: "/home/ada/projects/ledger",
    typed: [],
    prompts: ["One?", "Two?", "Three?"],
    requests: [
      answered(["user: One?"], "One."),
      answered([], "Two."),
      answered(
        ["user: <system-reminder>x</system-reminder> | One?", "assistant: One.", "user: Three?"],
        "Three.",
      ),
    ],
    toolCalls: [],
    files: [],
    notes: [],
  };
  const said = (author: "user" | "model", text: string, standing = "live"): Message =>
    ({ author, text, standing }) as Message;
  const sessionOf = (...messages: Message[]): Session => ({ kind: "main", messages }) as Session;

  test("compares the history sent last with the live messages before the last answer", () => {
    const messages = [
      said("user", "One?"),
      said("model", "One."),
      said("user", "Two?", "rewound"),
      said("model", "Two.", "rewound"),
      said("user", "Three?"),
      said("model", "Three."),
    ];
    const texts = ["One?", "One.", "Three?"];
    expect(compareLive(truth, [sessionOf(...messages)])).toEqual({ sent: texts, live: texts });
    const forgotten = messages.map((message): Message => ({ ...message, standing: "live" }));
    expect(compareLive(truth, [sessionOf(...forgotten)])?.live).toContain("Two?");
  });

  test("returns undefined when no session has the last answer", () => {
    expect(compareLive(truth, [sessionOf(said("user", "One?"))])).toBeUndefined();
  });
});
