import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Message } from "../../../src/core/session/message.ts";
import { qwenCode } from "../../../src/sources/qwen-code/index.ts";
import { readTree } from "../../corpora/read-tree.ts";
import { committedTrees, readJson } from "../../corpora/trees.ts";

/**
 * The history that the real program sent when it resumed restored sessions, equal to what it sent
 * from the original files; written by `scripts/prove-restore.mjs --agent qwen-code --record`.
 */
interface Proof {
  tree: string;
  readBy: string;
  sessionId: string;
  /** Entries in the program's list of sessions. */
  listed: string[];
  sent: string[];
}

const file = join(import.meta.dirname, "../../fixtures/restore-qwen-code.json");
const proofs = readJson(file) as Proof[];
const trees = new Map(committedTrees("qwen-code").map((tree) => [tree.name, tree]));

describe("sessions that the real program resumed", () => {
  test("are of several versions, and all of them were listed", () => {
    expect(new Set(proofs.map(({ tree }) => tree.split("/")[0])).size).toBeGreaterThanOrEqual(4);
    expect(proofs.length).toBeGreaterThanOrEqual(12);
    expect(proofs.filter(({ listed }) => listed.length === 0)).toEqual([]);
  });

  test.each(proofs.map((proof) => [`${proof.tree} ${proof.sessionId}`, proof] as const))(
    "%s: the live conversation is what it sent",
    (_name, { tree, sessionId, sent }) => {
      const found = trees.get(tree);
      if (!found) throw new Error("The tree is not among the committed ones.");
      const session = readTree(qwenCode, found).sessions.find(({ id }) => id === sessionId);
      const live = session?.messages.filter(({ standing }) => standing === "live") ?? [];
      const history = plain(sent.join("\n"));
      const calls = live.flatMap(({ toolCalls }) =>
        toolCalls.map(({ name, id }) => `${name} ${id}`),
      );
      expect(calls).toEqual(
        [...sent.join("\n").matchAll(/\[call (\S+ \S+)\]/g)].map(([, call]) => call),
      );
      const texts = live.filter(isSaid).map(beginning);
      expect(texts.filter((text) => !history.includes(text))).toEqual([]);
      const left = session?.messages.filter(
        (message) => isSaid(message) && !live.includes(message),
      );
      const onlyLeft = (left ?? []).map(beginning).filter((text) => {
        return !texts.some((other) => other.includes(text));
      });
      expect(onlyLeft.filter((text) => history.includes(text))).toEqual([]);
    },
  );
});

function isSaid({ author, isPrompt, text }: Message): boolean {
  return (author === "model" || isPrompt) && text.trim() !== "";
}

/** Long texts are cut in the recording. */
function beginning({ typed, text }: Message): string {
  return plain((typed ?? text).trim().split("\n")[0] ?? "").slice(0, 60);
}

function plain(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
