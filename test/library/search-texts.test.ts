import { expect, test } from "vitest";
import { open } from "../../src/library/library.ts";
import { header, jsonl, user } from "../samples/records.ts";
import { makeRoot } from "../cli/run.ts";

test("snippets show the text that matched: answer, thought or tool output", async () => {
  const call = {
    id: "c1",
    name: "run_shell_command",
    args: { command: "ls" },
    result: [{ functionResponse: { id: "c1", response: { output: "a needle of the tool" } } }],
    status: "success",
  };
  const answer = {
    id: "m",
    timestamp: "2026-02-10T17:29:00.000Z",
    type: "gemini",
    content: "a needle that was said",
    thoughts: [{ subject: "Looking", description: "a needle that was thought" }],
    toolCalls: [call],
    model: "gemini-2.5-pro",
  };
  const file = "tmp/app/chats/session-2026-02-10T17-28-aaaaaaaa.jsonl";
  const root = makeRoot({
    [file]: jsonl(header("aaaaaaaa-1"), user("u", 1, "a question"), answer),
  });
  const library = open({ roots: [root], environment: { env: {} } });
  const { hits } = await library.search("needle");
  expect(new Map(hits.map(({ role, snippet }) => [role, snippet]))).toEqual(
    new Map([
      ["answer", "a needle that was said"],
      ["thought", "Looking\na needle that was thought"],
      ["tool", expect.stringContaining("a needle of the tool") as string],
    ]),
  );
  // The same holds if only one kind of text is searched.
  const thoughts = await library.search("needle", { in: ["thoughts"] });
  expect(thoughts.hits.map(({ snippet }) => snippet)).toEqual([
    "Looking\na needle that was thought",
  ]);
});
