// @module-tag slow
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { run } from "./run.ts";

/** A kit with one empty home and the given expectation. */
function kitOf(expected: object): string {
  const kit = mkdtempSync(join(tmpdir(), "kit-"));
  mkdirSync(join(kit, "one", "home"), { recursive: true });
  writeFileSync(join(kit, "one", "expected.json"), JSON.stringify({ about: "A case.", expected }));
  return kit;
}

/** A reader that prints the text for every case. */
function readerOf(text: string): string[] {
  const file = join(mkdtempSync(join(tmpdir(), "reader-")), "reader.mjs");
  writeFileSync(file, `console.log(${JSON.stringify(text)});`);
  return ["--reader", `"${process.execPath}" "${file}" {tree}`];
}

const TOKENS = { "model-a": { total: 10 }, "model-b": { total: 5 } };

test("tests Pollux itself by default", async () => {
  const right = await run(["conformance", kitOf({ sessions: [], tokens: {}, damaged: [] })]);
  expect([right.code, right.out]).toEqual([0, "ok    one\n\n1 of 1 cases as expected\n"]);
  const wrong = await run(["conformance", kitOf({ tokens: TOKENS }), "--json"]);
  expect(wrong.code).toBe(1);
  expect(JSON.parse(wrong.out)).toMatchObject({
    asExpected: 0,
    results: [
      { id: "one", wrong: [{ field: "tokens of model-a" }, { field: "tokens of model-b" }] },
    ],
  });
});

test.each([
  ["exact", { tokens: TOKENS }, 0],
  ["the right sum only", { totals: { total: 15 } }, 0],
  ["a wrong sum", { totals: { total: 14 } }, 1],
  ["an unexpected model", { tokens: { ...TOKENS, "model-c": { total: 1 } } }, 1],
  ["nothing", {}, 0],
])("tests another reader whose answer is %s", async (_, answer, code) => {
  const kit = kitOf({ tokens: TOKENS });
  const asked = await run(["conformance", kit, ...readerOf(JSON.stringify(answer))]);
  expect(asked.code, asked.out).toBe(code);
});

test("a reader that fails or prints no JSON fails the case, not the run", async () => {
  const kit = kitOf({ tokens: TOKENS });
  const odd = await run(["conformance", kit, ...readerOf("\u001B[2Jhello")]);
  expect([odd.code, odd.out]).toEqual([1, expect.stringContaining("is not JSON")]);
  expect(odd.out).not.toContain("\u001B[2J");
  const none = await run(["conformance", kit, "--reader", "exit 3;"]);
  expect(none.out).toContain("exited with 3");
});

test("reports a folder without a kit", async () => {
  const { code, err } = await run(["conformance", mkdtempSync(join(tmpdir(), "empty-"))]);
  expect([code, err]).toEqual([3, expect.stringContaining("No conformance kit found")]);
  expect((await run(["conformance", kitOf({}), "--only", "nothing"])).code).toBe(2);
});

test("a case without an expectation is named, and no reader runs", async () => {
  const kit = kitOf({});
  writeFileSync(join(kit, "one", "expected.json"), JSON.stringify({ prompts: ["hi"] }));
  const { code, err } = await run(["conformance", kit]);
  expect(code).not.toBe(0);
  expect(err).toContain('"home" has no "about" or no "expected"');
});
