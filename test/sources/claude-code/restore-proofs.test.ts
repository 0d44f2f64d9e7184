import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Message } from "../../../src/core/session/message.ts";
import { claudeCode } from "../../../src/sources/claude-code/index.ts";
import { committedTrees } from "../../corpora/trees.ts";
import { readTree } from "../../corpora/read-tree.ts";

/**
 * The history that the real program sent when it resumed restored sessions, equal to what it sent
 * from the original files; written by `scripts/prove-restore.mjs --agent claude-code --record`.
 */
interface Proof {
  tree: string;
  readBy: string;
  sessionId: string;
  /** Entries in the program's list of sessions. */
  listed: string[];
  sent: string[];
}

/** Trees for which a version sends less than its files contain, with the reason. */
const PROGRAM_LOSES: Readonly<Record<string, string>> = {
  "1.0.128/tui-resume": "a session that went on in a second file is resumed from that file alone",
  "2.1.14/subagent": "2.1.50 follows parents alone, and loses all parallel calls but one",
};

const file = join(import.meta.dirname, "../../fixtures/restore-claude-code.json");
const proofs = JSON.parse(readFileSync(file, "utf8")) as Proof[];
const trees = new Map(committedTrees("claude-code").map((tree) => [tree.name, tree]));

describe("sessions that the real program resumed", () => {
  test("are in its list if they are interactive", () => {
    const names = proofs
      .filter(({ tree }) => tree.includes("/tui-"))
      .flatMap(({ listed }) => listed);
    expect(names.length).toBeGreaterThan(3);
  });

  test("cover many versions", () => {
    expect(new Set(proofs.map(({ readBy }) => readBy)).size).toBeGreaterThanOrEqual(4);
    expect(proofs.length).toBeGreaterThanOrEqual(15);
  });

  test.each(
    proofs
      .filter(({ tree }) => !(tree in PROGRAM_LOSES))
      .map((proof) => [`${proof.tree} ${proof.sessionId}`, proof] as const),
  )("%s: the live conversation is what it sent", (_name, { tree, sessionId, sent }) => {
    const found = trees.get(tree);
    if (!found) throw new Error("The tree is not among the committed ones.");
    const { sessions } = readTree(claudeCode, found);
    const session = sessions.find(({ id }) => id === sessionId);
    const live = session?.messages.filter(({ standing }) => standing === "live") ?? [];
    const history = sent.join("\n");
    expect(live.flatMap(callsOf).toSorted()).toEqual(idsIn(history, /<tool_use \S+ (\S+)>/g));
    const texts = live.filter(isSaid).map(({ text, typed }) => beginning(typed ?? text));
    expect(texts.filter((text) => !plain(history).includes(text))).toEqual([]);
    const left = session?.messages.filter((message) => isLeft(message) && isSaid(message)) ?? [];
    const own = left.map(({ text, typed }) => beginning(typed ?? text));
    const onlyLeft = own.filter((text) => !texts.some((other) => other.includes(text)));
    expect(onlyLeft.filter((text) => plain(history).includes(text))).toEqual([]);
  });
});

function isSaid({ author, isPrompt, text }: Message): boolean {
  return (author === "model" || isPrompt) && text.trim() !== "";
}

function isLeft({ standing }: Message): boolean {
  return standing !== "live";
}

/** A call without a result is not sent. */
function callsOf({ toolCalls }: Message): string[] {
  return toolCalls.filter(({ output }) => output !== undefined).map(({ id }) => id);
}

function idsIn(text: string, pattern: RegExp): string[] {
  return [...new Set([...text.matchAll(pattern)].map((match) => match[1] ?? ""))].toSorted();
}

/** Long texts are cut in the recording, and blocks of one answer are separate. */
function beginning(text: string): string {
  return plain(text.split("\n")[0] ?? "").slice(0, 60);
}

function plain(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
