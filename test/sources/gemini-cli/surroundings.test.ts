import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { open } from "../../../src/library/library.ts";
import { retention } from "../../../src/sources/gemini-cli/retention.ts";
import { madeHome, madeSession } from "../made-home.ts";

function retentionAt(path: string): ReturnType<typeof retention.settings> {
  return retention.settings({ path, because: "a test", isFound: true });
}

describe("the retention of sessions", () => {
  const cases: readonly (readonly [string, string | object, boolean, number])[] = [
    ["is 30 days by default", {}, true, 30],
    ["can be switched off", { general: { sessionRetention: { enabled: false } } }, false, 30],
    ["can be in days", { general: { sessionRetention: { enabled: true, maxAge: "7d" } } }, true, 7],
    ["can be in weeks", { general: { sessionRetention: { maxAge: "2w" } } }, true, 14],
    ["can be in months", { general: { sessionRetention: { maxAge: "3m" } } }, true, 90],
    ["can be in hours", { general: { sessionRetention: { maxAge: "48h" } } }, true, 2],
    [
      "is read from settings with comments",
      '{ // mine\n "general": { "sessionRetention": { "maxAge": "9d" } } /* x */ }',
      true,
      9,
    ],
    ["is the default for settings that are not JSON", "{", true, 30],
    ["is the default for settings of another shape", { general: 7 }, true, 30],
    [
      "is the default for an invalid age",
      { general: { sessionRetention: { maxAge: "soon" } } },
      true,
      30,
    ],
  ];
  test.each(cases)("%s", async (_name, settings, isEnabled, maxAgeDays) => {
    const actual = retentionAt(madeHome({ "settings.json": settings }));
    expect([actual.isEnabled, actual.maxAgeDays]).toEqual([isEnabled, maxAgeDays]);
  });

  test("has the file that sets it", async () => {
    const home = madeHome({ "settings.json": { general: { sessionRetention: { maxAge: "9d" } } } });
    expect(retentionAt(home).from).toBe(join(home, "settings.json"));
    expect(retentionAt(madeHome()).from).toBe("the default");
  });
});

const SESSION = "5e551009-0000-4000-8000-000000000009";

/** The spill file of the only call of a session whose output was cut to the given text. */
async function spillOf(
  output: string,
  files: Record<string, string>,
  callId = "read_file__c1",
): Promise<unknown> {
  const result = [{ functionResponse: { id: callId, response: { output } } }];
  const toolCalls = [{ id: callId, name: "read_file", args: {}, result, status: "success" }];
  const line = JSON.stringify({ id: "g1", type: "gemini", content: "", toolCalls });
  const home = madeHome({
    "tmp/ledger/chats/session-a.jsonl": `${madeSession(SESSION)}${line}\n`,
    ...files,
  });
  const { messages } = await open({ roots: [home] }).session(SESSION);
  const call = messages.at(-1)?.toolCalls[0];
  if (!call?.spill) return undefined;
  return { ...call.spill, path: call.spill.path.replace(`${home}/`, "") };
}

describe("the whole text of a cut output", () => {
  const folder = `tmp/ledger/tool-outputs/session-${SESSION}`;
  const cut = "Output too large. Showing first 10 characters. For full output see: ";

  test("is at the path in the text, from 0.29 on", async () => {
    const path = `${folder}/read_file__c1.txt`;
    expect(await spillOf(`${cut}/home/ada/.gemini/${path}`, { [path]: "0123456789" })).toEqual({
      path,
      sizeBytes: 10,
      isFound: true,
    });
  });

  test("is in the project's folder in older versions", async () => {
    const old = "Tool output was too large and has been truncated.\nThe full output is in: ";
    for (const path of [
      "tmp/ledger/read_file__c1.output",
      "tmp/ledger/tool_output/read_file__c1.txt",
    ]) {
      expect(
        await spillOf(`${old}/anywhere/${path.split("/").at(-1)}`, { [path]: "x" }),
      ).toMatchObject({
        path,
        isFound: true,
      });
    }
  });

  test("is found by the call's id if masking named it differently", async () => {
    const path = `${folder}/read_file_read_file__c1_ab12cd.txt`;
    const masked = "<tool_output_masked>\npreview\n</tool_output_masked>";
    expect(await spillOf(masked, { [path]: "x" })).toMatchObject({ path, isFound: true });
  });

  test("is named if it is gone", async () => {
    expect(await spillOf(`${cut}/home/ada/x/read_file__c1.txt`, {})).toEqual({
      path: "read_file__c1.txt",
      isFound: false,
    });
  });

  test("is never looked for outside the project", async () => {
    const files = { "secret.txt": "s", "tmp/other/secret.txt": "s" };
    for (const actual of [
      "../../secret.txt",
      "/etc/passwd.txt",
      "..\\..\\secret.txt",
      "tmp/other/secret.txt",
    ]) {
      expect(await spillOf(`${cut}${actual}`, files)).toMatchObject({ isFound: false });
    }
  });

  test("is not looked for if nothing was cut", async () => {
    const path = `${folder}/read_file__c1.txt`;
    expect(await spillOf("a short output", { [path]: "x" })).toBeUndefined();
  });
});

describe("prompt logs", () => {
  const entry = (sessionId: string, messageId: number, message: string): object => {
    const timestamp = `2026-05-04T10:0${messageId}:00.000Z`;
    return { sessionId, messageId, type: "user", message, timestamp };
  };

  test("list sessions without a file, once", async () => {
    const log = [entry("gone", 0, "First"), entry("there", 0, "Hello"), entry("gone", 1, "/quit")];
    const home = madeHome({
      "tmp/ledger/logs.json": log,
      "tmp/twin/logs.json": log,
      "tmp/ledger/chats/session-a.jsonl": madeSession("there"),
    });
    const { promptLogs } = await open({ roots: [home] }).sessions();
    expect(
      promptLogs.map(({ sessionId, prompts }) => [sessionId, prompts.map(({ text }) => text)]),
    ).toEqual([["gone", ["First", "/quit"]]]);
  });

  test("are read up to a cut, which is reported", async () => {
    const text = JSON.stringify([entry("gone", 0, "First"), entry("gone", 1, "Second")]);
    const home = madeHome({ "tmp/ledger/logs.json": text.slice(0, -20) });
    const { promptLogs, coverage } = await open({ roots: [home] }).sessions();
    expect(promptLogs[0]?.prompts.map((prompt) => prompt.text)).toEqual(["First"]);
    expect(coverage.diagnostics.map(({ code }) => code)).toEqual(["truncated-document"]);
  });

  test("skip elements that are not prompts", async () => {
    const odd = [null, 7, { sessionId: "x" }, { message: "y" }, entry("gone", 0, "First")];
    const home = madeHome({ "tmp/ledger/logs.json": odd });
    const { promptLogs, coverage } = await open({ roots: [home] }).sessions();
    expect(promptLogs.length).toBe(1);
    expect(coverage.diagnostics.map(({ code }) => code)).toEqual(Array(4).fill("bad-element"));
  });
});
