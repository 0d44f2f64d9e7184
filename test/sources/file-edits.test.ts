// @module-tag slow
import { describe, expect, test } from "vitest";
import { sources } from "../../src/sources/index.ts";
import { BlamedFile } from "../../src/queries/blame/blame-file.ts";
import { readTree } from "../corpora/read-tree.ts";
import type { AgentId } from "../corpora/trees.ts";
import { committedTrees } from "../corpora/trees.ts";

/** Every successful call that changed a file in the committed corpus of an agent. */
function changes(agent: AgentId) {
  const source = sources.find(({ id }) => id === agent);
  if (!source) throw new RangeError(`There is no source ${agent}.`);
  const calls = committedTrees(agent)
    .flatMap((tree) => readTree(source, tree).sessions)
    .flatMap(({ messages }) => messages.flatMap(({ toolCalls }) => toolCalls))
    .filter(({ outcome, files }) => {
      return outcome === "success" && files?.some(({ how }) => how !== "read");
    });
  return calls.map((call) => ({ call, edits: source.abilities.fileEdits?.(call) ?? [] }));
}

describe.each(["gemini-cli", "claude-code", "codex", "qwen-code"] as const)(
  "edits of %s",
  (agent) => {
    const all = changes(agent);

    test("exist for nearly every call that changed a file", () => {
      expect(all.length).toBeGreaterThan(3);
      const silent = all.filter(({ edits }) => edits.length === 0).map(({ call }) => call.name);
      expect(silent.length / all.length, silent.join(", ")).toBeLessThan(0.1);
    });

    test("name a file that the call touched", () => {
      for (const { call, edits } of all) {
        const touched = call.files?.map(({ path }) => path);
        for (const { path } of edits) expect(touched).toContain(path);
      }
    });

    test("explain only the lines they wrote", () => {
      const written = all.flatMap(({ edits }) => edits.flatMap(({ parts }) => parts));
      const brought = written.filter(
        ({ after, before }) => after.trim() !== "" && before !== after,
      );
      for (const part of brought) {
        const file = new BlamedFile<string>(`first, by hand\n${part.after}\nlast, by hand`);
        file.takeBack([part], "edit");
        const owners = file.owners();
        expect([owners[0], owners.at(-1)]).toEqual([undefined, undefined]);
      }
      expect(brought.length).toBeGreaterThan(3);
    });
  },
);
