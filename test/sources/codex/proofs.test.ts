import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Session } from "../../../src/core/session/session.ts";
import { codex } from "../../../src/sources/codex/index.ts";
import { readTree } from "../../corpora/read-tree.ts";
import { committedTrees, readJson } from "../../corpora/trees.ts";

/**
 * What the program sent from restored sessions, seen by `scripts/prove-restore.mjs --agent codex`.
 */
interface Proof {
  tree: string;
  readBy: string;
  sessionId: string;
  sent: string[];
}

const proofs = readJson(join(import.meta.dirname, "../../fixtures/restore-codex.json")) as Proof[];
const QUESTION = "What did we talk about?";
/** Items without readable text. */
const SILENT = /^(additional_tools|configuration_update|reasoning|compaction)/;

/** The beginning of a text, without differences in white space. */
function beginning(text: string): string {
  return text.replace(/\s+/g, " ").trim().slice(0, 40);
}

interface Remembered {
  /** Prompts, answers, calls and outputs, in order. */
  talk: string[];
  injected: string[];
}

function rememberedBy({ messages }: Session): Remembered {
  const talk: string[] = [];
  const injected: string[] = [];
  for (const { standing, author, text, isPrompt, toolCalls } of messages) {
    if (standing !== "live" || author === "notice") continue;
    if (author === "user" && !isPrompt) injected.push(beginning(text));
    else if (text !== "") talk.push(beginning(text));
    talk.push(...toolCalls.map(({ name, id }) => `call ${name} ${id}`));
    talk.push(
      ...toolCalls.flatMap(({ id, output }) => (output === undefined ? [] : `output ${id}`)),
    );
  }
  return { talk, injected: injected.filter((text) => text !== "") };
}

function sentBy({ sent }: Proof): Remembered {
  const items = sent.filter((item) => !SILENT.test(item) && !item.endsWith(QUESTION));
  const injected = items.filter((item) => /^message (developer|user [<#])/.test(item));
  const talk = items.filter((item) => !injected.includes(item));
  return {
    talk: talk.map((item) => {
      const call = /^(?:custom_tool|function)_call (\S+ \S+)$/.exec(item)?.[1];
      const output = /_call_output (\S+)$/.exec(item)?.[1];
      if (call !== undefined) return `call ${call}`;
      return output === undefined ? beginning(wordsIn(item)) : `output ${output}`;
    }),
    injected: injected.map((item) => beginning(wordsIn(item))),
  };
}

function wordsIn(item: string): string {
  return item.replace(/^message \w+ /, "");
}

describe("the live conversation equals what the program sends when it resumes", () => {
  test.each(proofs)("$tree by $readBy: $sessionId", (proof) => {
    const tree = committedTrees("codex").find(({ name }) => name === proof.tree);
    const session = tree && readTree(codex, tree).sessions.find(({ id }) => id === proof.sessionId);
    if (!session) throw new Error("The committed corpus has the session.");
    const ours = rememberedBy(session);
    const sent = sentBy(proof);
    expect(ours.talk).toEqual(sent.talk);
    // The program adds what is new since then: another model, the date.
    expect(ours.injected.filter((text) => !sent.injected.includes(text))).toEqual([]);
  });
});
