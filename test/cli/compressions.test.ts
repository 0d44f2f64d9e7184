import { join } from "node:path";
import { expect, test } from "vitest";
import { open } from "../../src/library/library.ts";
import { run } from "./run.ts";

const FIXTURES = join(import.meta.dirname, "../fixtures");

test.each([
  ["gemini-cli/homes/split-by-compression/home/.gemini", "split"],
  ["corpora/gemini-cli/0.30.0/tui-compress/.gemini", "notice"],
  ["corpora/gemini-cli/0.61.0/tui-compress/.gemini", "summary"],
  ["corpora/claude-code/2.1.325/tui-compact/.claude", "summary"],
  ["corpora/codex/0.80.0/tui-compact/.codex", "summary"],
  ["corpora/qwen-code/0.24.4/tui-compress/.qwen", "summary"],
])("pollux show marks where a conversation was compressed: %s", async (tree, how) => {
  const root = join(FIXTURES, tree);
  const library = open({ roots: [root], environment: { env: {}, homeDir: "/home/ada" } });
  const { sessions } = await library.sessions();
  const session = sessions.find(({ compressions }) => compressions > 0);
  const { id, compressions } = session ?? { id: "latest", compressions: 0 };
  expect(compressions).toBeGreaterThan(0);
  const { messages } = await library.transcript(id);
  const marks = messages.flatMap(({ compression }) => compression ?? []);
  expect(marks).toEqual(Array.from({ length: compressions }, () => how));
  const { out } = await run(["show", id, "--fresh", "--root", root]);
  expect(out.match(/^── compressed: .* ──$/gm)).toHaveLength(compressions);
});
