// @module-tag slow
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { BlameAnswer } from "../../src/queries/blame/blame.ts";
import type { UsesAnswer } from "../../src/queries/search/uses.ts";
import { run } from "./run.ts";

/** A file as the last session of the demo left it, with one line added by hand. */
async function demoFile(): Promise<string> {
  const { out } = await run(["uses", "src/hours.ts", "--demo", "--json"]);
  const { sessions } = JSON.parse(out) as UsesAnswer;
  const texts: string[] = [];
  for (const { session, uses } of sessions.toReversed()) {
    const shown = await run(["show", session.id, "--demo", "--json"]);
    const { messages } = JSON.parse(shown.out) as {
      messages: { toolCalls: { id: string; args: { content?: string } }[] }[];
    };
    const calls = messages.flatMap(({ toolCalls }) => toolCalls);
    for (const { callId } of uses) {
      texts.push(calls.find(({ id }) => id === callId)?.args.content ?? "");
    }
  }
  const written = texts.findLast((text) => text !== "") ?? "";
  const file = join(mkdtempSync(join(tmpdir(), "pollux-blame-")), "hours.ts");
  writeFileSync(file, `// by hand \u001b[31m\n${written}`);
  return file;
}

test("blame gives the session and prompt of each line, and none for lines added by hand", async () => {
  const file = await demoFile();
  const args = ["blame", file, "--recorded", "src/hours.ts", "--demo"];
  const answer = JSON.parse((await run([...args, "--json"])).out) as BlameAnswer;
  expect(answer.lines[0]).toMatchObject({ number: 1, edit: null });
  expect(answer.explained).toBeGreaterThan(5);
  expect(answer.explained + answer.unknown).toBe(answer.lines.length);
  expect(answer.edits.every(({ prompt }) => prompt !== null)).toBe(true);
  expect(answer.edits.reduce((sum, { lines }) => sum + lines, 0)).toBe(answer.explained);
  const { out } = await run(args);
  expect(out).not.toContain("\u001b");
  expect(out.split("\n")[0]).toMatch(/^· +1 \/\/ by hand/);
  expect(out).toContain(`of ${answer.lines.length} lines written by agents`);
  const short = (await run([...args, "--summary"])).out;
  expect(short.trimEnd().split("\n")).toHaveLength(answer.edits.length + 1);
});

test("blame reconstructs a missing file from the record and says so", async () => {
  const { out } = await run(["blame", "src/hours.ts", "--demo", "--json"]);
  const answer = JSON.parse(out) as BlameAnswer;
  expect(answer).toMatchObject({ textFrom: "record", unknown: 2 });
  expect(answer.path).toMatch(/bakery-api\/src\/hours\.ts$/);
  expect(answer.edits.length).toBeGreaterThan(1);
  const result = await run(["blame", "src/hours.ts", "--demo"]);
  expect(result.out).toMatch(/^The file does not exist/);
});

test("blame reports a file that does not exist, and one without recorded edits", async () => {
  const missing = await run(["blame", "/no/such/file", "--demo"]);
  expect([missing.code, missing.err]).toEqual([3, expect.stringContaining("does not exist")]);
  const { out } = await run(["blame", await demoFile(), "--demo"]);
  expect(out).toContain("based on 0 recorded edits");
});
