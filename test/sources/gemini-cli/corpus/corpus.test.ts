// @module-tag slow
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { summarise } from "../../../../src/core/rows/summarise.ts";
import type { Difference } from "./compare.ts";
import { compare, readSums } from "./compare.ts";
import { liveHistory, sentHistory } from "./history.ts";
import known from "./known.json" with { type: "json" };
import type { Reading } from "./reading.ts";
import { readHomes, readTreeHome } from "./reading.ts";
import type { Tree } from "./trees.ts";
import { readTrees } from "./trees.ts";
import { hasCompleteCorpus } from "../../../corpora/trees.ts";

/**
 * Compares every tree of the corpus (session files of the real program, with the log of the API
 * that answered it) with the sessions read from it. `known.json` has the exact difference and its
 * reason where the program never wrote something, or deleted it; nothing else may differ.
 */
const trees = readTrees();
const isComplete = hasCompleteCorpus("gemini-cli");
const readings = new Map<string, Promise<Reading>>();

function reading(tree: Tree): Promise<Reading> {
  const done = readings.get(tree.name) ?? readTreeHome(tree.folder);
  readings.set(tree.name, done);
  return done;
}

type Named = Record<string, { why: string; is: unknown }>;
const named: Record<string, Named> = known.trees;

function namedDifference(tree: string): Difference {
  const aspects = Object.entries(named[tree] ?? {}).map(([aspect, { is }]) => [aspect, is]);
  return Object.fromEntries(aspects) as Difference;
}

describe("reading the corpus", () => {
  test("covers all available trees", () => {
    expect(trees.length).toBeGreaterThanOrEqual(isComplete ? 185 : 100);
  });

  test("lists differences only for existing trees", ({ skip }) => {
    if (!isComplete) skip("the complete corpus is not beside the repository");
    const names = new Set(trees.map(({ name }) => name));
    expect(Object.keys(named).filter((name) => !names.has(name))).toEqual([]);
  });

  test("lists each difference with a reason", () => {
    const used = Object.values(named).flatMap((aspects) => Object.values(aspects));
    const reasons = [...new Set(used.map(({ why }) => why))].toSorted();
    expect(reasons).toEqual(Object.keys(known.reasons).toSorted());
  });

  test.each(trees)("$name: prompts, answers, calls, tokens, project match", async (tree) => {
    expect(compare(tree.truth, (await reading(tree)).sessions)).toEqual(namedDifference(tree.name));
  });

  test.each(trees)("$name: lists and full sessions have equal summaries", async (tree) => {
    const { list, sessions } = await reading(tree);
    expect(sessions.map((session) => summarise(session))).toEqual(list.sessions);
  });
});

/** Known damage in the corpus. */
const DAMAGE: Record<string, string[]> = { "0.38.2/killrace": ["empty-file"] };

describe("compared with an independent reader, Pollux", () => {
  test.each(trees)("$name: finds the same sessions", async (tree) => {
    const ids = new Set(tree.indexed.sessionFiles.flatMap(({ sessionId }) => sessionId ?? []));
    const found = (await reading(tree)).sessions.map(({ id }) => id);
    expect(found.toSorted()).toEqual([...ids].toSorted());
  });

  test.each(trees)("$name: finds the same tokens", async (tree) => {
    const sums = [...readSums((await reading(tree)).sessions).values()];
    const field = (name: "input" | "total" | "replies"): number =>
      sums.reduce((sum, counts) => sum + counts[name], 0);
    const { n, input, total } = tree.indexed.onDisk.everyMessageId;
    expect([field("replies"), field("input"), field("total")]).toEqual([n, input, total]);
  });

  test.each(trees)("$name: finds only the known damage", async (tree) => {
    const { diagnostics } = (await reading(tree)).list.coverage;
    expect(diagnostics.map(({ code }) => code)).toEqual(DAMAGE[tree.name] ?? []);
  });
});

/** The program recorded the calls of two editor turns on one reply, before both answers. */
const OTHER_HISTORIES: Record<string, string[]> = {
  "0.45.2/acp": [
    "user: Editorquestionone",
    "model: Readingfortheeditor. [call read_file][call run_shell_command]",
    "user:  [response read_file]",
    "model: Editoranswerone.",
    "user: Editorquestiontwo [response run_shell_command]",
    "model: Editoranswertwo.",
  ],
};
const RESUME_PROMPT = "What did we talk about?";

describe("live messages equal the history that the program resumes with", () => {
  const resumes = trees.flatMap((tree) =>
    tree.oracles.flatMap(({ by, resumes: all }) =>
      all.map(({ id, historySentToApi: sent }) => ({ tree, by, id, sent })),
    ),
  );

  test("for every resumed session, with its history recorded", () => {
    expect(resumes.length).toBeGreaterThanOrEqual(isComplete ? 172 : 60);
    expect(resumes.filter(({ sent }) => sent === undefined)).toEqual([]);
  });

  test.each(resumes)("$tree.name $id, resumed by $by", async ({ tree, id, sent = [] }) => {
    const session = (await reading(tree)).sessions.find((found) => found.id === id);
    const history = session ? liveHistory(session) : [];
    expect(history).toEqual(OTHER_HISTORIES[tree.name] ?? sentHistory(sent, RESUME_PROMPT));
  });
});

/** Differences that remain when all copies are read together. */
const AFTER_MERGING: Record<string, Difference> = {
  // No copy has the tool calls of 0.6.1, because 0.6.1 records none.
  "0.6.1/migrate": { tools: { read_file: "0/0/0/0 instead of 1/1/0/0" } },
};

describe("copies made before the program deleted its files", () => {
  const copied = trees.filter(({ snapshots }) => snapshots.length > 0);

  test.each(copied)("$name: contain everything once", async (tree) => {
    const { sessions } = await readHomes([join(tree.folder, ".gemini"), ...tree.snapshots]);
    const { projects: _unknown, ...difference } = compare(tree.truth, sessions);
    expect(difference).toEqual(AFTER_MERGING[tree.name] ?? {});
  });
});

/** Prompts of sessions without a file. The log also has slash commands. */
const LOGGED: Record<string, string[]> = {
  "0.1.22/tui-basic": ["First question about the notes", "Second question", "Third question"],
  // The logger started after the first prompt.
  "0.1.22/tui-chat": ["Second question", "Third question", "Question after the resume"],
  // The file was deleted; only the log is left.
  "0.61.0/tui-resume-gap": [
    "First question about the notes",
    "Second question",
    "Question in the resumed session",
  ],
};

describe("other files with conversations", () => {
  test.each(trees)("$name: finds the logged prompts of sessions without a file", async (tree) => {
    const logs = (await reading(tree)).list.promptLogs;
    const typed = logs.flatMap(({ prompts }) => prompts.map(({ text }) => text));
    const asked = typed.filter((text) => !text.startsWith("/"));
    expect(asked).toEqual(LOGGED[tree.name] ?? []);
  });

  test.each(trees)("$name: finds the spilled outputs of tool calls", async (tree) => {
    const isSpill = ({ path }: { path: string }): boolean =>
      /\.gemini\/.*\/(tool-outputs|tool_output)\//.test(path) || path.endsWith(".output");
    const spilled = tree.truth.files.filter(isSpill).map(({ path }) => join(tree.folder, path));
    const calls = (await reading(tree)).sessions.flatMap(({ messages }) =>
      messages.flatMap(({ copyOf, toolCalls }) => (copyOf === undefined ? toolCalls : [])),
    );
    const found = calls.flatMap(({ spill }) => (spill?.isFound === true ? [spill.path] : []));
    // The session of this output was emptied by a kill.
    const lost = tree.name === "0.38.2/killrace" ? spilled : [];
    expect(found.toSorted()).toEqual(spilled.filter((path) => !lost.includes(path)).toSorted());
  });

  const chats = trees.filter(({ name }) => name.endsWith("/tui-chat"));
  test.each(chats)("$name: finds the saved chat", async (tree) => {
    const [chat, ...others] = (await reading(tree)).list.savedChats;
    expect(others).toEqual([]);
    expect([chat?.tag, chat?.prompts]).toEqual(["my tag", 2]);
  });
});
