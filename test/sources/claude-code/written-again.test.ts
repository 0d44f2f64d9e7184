import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readFiles } from "./read-files.ts";

const FIXTURES = join(import.meta.dirname, "../../fixtures/claude-code");

describe("written again by a resume", () => {
  test("an answer is one answer (real file of 2.0.77)", () => {
    const bytes = readFileSync(join(FIXTURES, "written-again.jsonl"));
    const name = "998ccf51-814d-41f4-b67a-141636cde00c.jsonl";
    for (const depth of ["usage", "outline", "full"] as const) {
      const [session] = readFiles([{ name, bytes }], depth).sessions;
      expect(session?.replies.map(({ counts }) => counts.input)).toEqual([1017, 1102, 1136, 1221]);
      expect(session?.replies.map(({ standing }) => standing)).toEqual(Array(4).fill("live"));
      if (depth === "usage") continue;
      const results = session?.messages.flatMap(({ results: all }) => all) ?? [];
      expect(results).toHaveLength(1);
      const said = session?.messages.filter(({ standing, text }) => standing === "live" && text);
      const texts = ["Bad weather", "First try.", "Second try.", "Better weather?", "At last."];
      expect(said).toHaveLength(texts.length);
      if (depth === "full") expect(said?.map(({ text }) => text)).toEqual(texts);
    }
  });

  test("a prompt with a picture is one prompt (real file of 2.0.77)", () => {
    const bytes = readFileSync(join(FIXTURES, "picture-written-again.jsonl"));
    const name = "e73ddf5c-0a6b-44b4-9b26-7738fa4f70b0.jsonl";
    for (const depth of ["outline", "full"] as const) {
      const messages = readFiles([{ name, bytes }], depth).sessions[0]?.messages ?? [];
      const live = messages.filter(({ standing }) => standing === "live");
      expect(live.filter(({ author }) => author === "model")).toHaveLength(6);
      // The resume wrote one of the two parallel calls again, and sent only that one.
      expect(live.flatMap(({ toolCalls }) => toolCalls)).toHaveLength(1);
      expect(messages.length - live.length).toBe(2);
      const prompts = messages.filter(({ isPrompt }) => isPrompt);
      expect(prompts.map(({ typed, text }) => typed ?? text)).toEqual([
        "I1: look",
        "I2: do two",
        "I3: three",
        "I4: resumed",
        "I5: again",
      ]);
      expect(prompts.map(({ attachments }) => attachments.length)).toEqual([1, 0, 0, 0, 0]);
    }
  });

  test("all records with the time of the resume are copies (real file of 2.0.14)", () => {
    const bytes = readFileSync(join(FIXTURES, "all-written-again.jsonl"));
    const name = "c3485cb0-fd7f-4df3-8a7e-8a4fff597fcc.jsonl";
    for (const depth of ["usage", "outline", "full"] as const) {
      const [session] = readFiles([{ name, bytes }], depth).sessions;
      expect(session?.replies.map(({ counts }) => counts.input)).toEqual([
        1017, 1051, 1068, 1085, 1136,
      ]);
      if (depth !== "full") continue;
      const live = session?.messages.filter(({ standing, author }) => {
        return standing === "live" && author === "model";
      });
      expect(live?.map(({ text }) => text)).toEqual([
        "IM1 answer.",
        "IM2 reads.",
        "IM2 answer.",
        "IM3 answer.",
        "IM4 answer.",
      ]);
      const prompts = session?.messages.filter(({ isPrompt }) => isPrompt) ?? [];
      expect(prompts.map(({ attachments }) => attachments.length)).toEqual([2, 1, 1, 0]);
    }
  });

  test.each([
    {
      kind: "picture",
      original: "2d8bfed7-5ed9-4fc6-83af-a9c3c8ba7d80",
      fork: "7492f3d8-0f6d-4141-973c-5dc0f15a9e4a",
      own: ["G4: forked", "G4 answer."],
    },
    {
      kind: "retried",
      original: "f248075c-7026-4d28-9c9c-dcdeb4cb96d4",
      fork: "cf25bcc7-2a30-4b73-93ca-e08b3bf1a0bd",
      own: ["E4: forked", "E4 answer."],
    },
  ])("records are copies in a fork, too ($kind, real files of 2.0.69)", (forked) => {
    const { kind, original, fork, own } = forked;
    const files = [
      { name: `${original}.jsonl`, bytes: readFileSync(join(FIXTURES, `${kind}-forked.jsonl`)) },
      { name: `${fork}.jsonl`, bytes: readFileSync(join(FIXTURES, `${kind}-fork.jsonl`)) },
    ];
    for (const depth of ["usage", "outline", "full"] as const) {
      const session = readFiles(files, depth).sessions.find(({ id }) => id === fork);
      expect(session?.origins).toEqual([{ sessionId: original, how: "fork" }]);
      if (depth === "usage") continue;
      const shown = session?.messages.filter(({ isInherited }) => isInherited !== true) ?? [];
      expect(shown).toHaveLength(2);
      if (depth === "full") expect(shown.map(({ text }) => text)).toEqual(own);
    }
  });
});
