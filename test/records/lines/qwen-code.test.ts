import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { open } from "../../../src/library/library.ts";
import { qwenCode } from "../../../src/sources/qwen-code/index.ts";
import { recordOf } from "../made.ts";
import { roundTrip, UNHARMED } from "../round-trip.ts";
import { jsonLines, rootWith } from "./made.ts";

const ID = "5e551003-0000-4000-8000-000000000003";
const shared = { sessionId: ID, cwd: "/srv/ledger", version: "0.24.4", gitBranch: "main" };
const at = (second: number): string => `2026-01-01T00:00:0${second}.000Z`;
const parts = [
  { text: "Where is it?", thought: true },
  { functionCall: { id: "c1", name: "read_file", args: { path: "a" } } },
];
const response = { functionResponse: { id: "c1", name: "read_file", response: { output: "1" } } };

const LINES = [
  {
    ...shared,
    uuid: "u1",
    parentUuid: null,
    timestamp: at(1),
    type: "user",
    message: { role: "user", parts: [{ text: "Fix the total." }] },
  },
  {
    ...shared,
    uuid: "a1",
    parentUuid: "u1",
    timestamp: at(2),
    type: "assistant",
    model: "qwen3-coder-plus",
    message: { role: "model", parts },
    usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 2, totalTokenCount: 12 },
  },
  {
    ...shared,
    uuid: "r1",
    parentUuid: "a1",
    timestamp: at(3),
    type: "tool_result",
    message: { role: "user", parts: [response] },
    toolCallResult: { callId: "c1", status: "success" },
  },
  {
    ...shared,
    uuid: "s1",
    parentUuid: "r1",
    timestamp: at(4),
    type: "system",
    subtype: "ui_telemetry",
    systemPayload: { uiEvent: {} },
  },
];

function qwenRoot(text: string): string {
  return rootWith(".qwen", join("projects", "-srv-ledger", "chats", `${ID}.jsonl`), text);
}

describe("a session of Qwen Code", () => {
  const root = (): string => qwenRoot(jsonLines(...LINES));

  it("becomes a complete record", async () => {
    const { session } = await recordOf(root());
    expect(session["agent-meta"]).toEqual({
      "model-id": "qwen3-coder-plus",
      "model-provider": "alibaba",
      "cli-name": "qwen-code",
      "cli-version": "0.24.4",
    });
    expect(session.entries).toMatchObject([
      { type: "user", id: "u1", content: [{ text: "Fix the total." }] },
      {
        type: "assistant",
        "model-id": "qwen3-coder-plus",
        "token-usage": { input: 10, output: 2, total: 12 },
        children: [
          { type: "reasoning", content: "Where is it?" },
          { type: "tool-call", name: "read_file", input: { path: "a" }, "call-id": "c1" },
        ],
      },
      { type: "user", children: [{ type: "tool-result", output: { output: "1" } }] },
      { type: "system-event", "event-type": "ui_telemetry", data: { systemPayload: {} } },
    ]);
    expect(session["x-native"]).toMatchObject({
      acts: [{ file: 0 }, { entry: 0, edits: [{}] }, { entry: 1, count: 3 }],
    });
  });

  it("has no other profile, because the draft does not know the program", async () => {
    const made = open({ roots: [root()] }).record(ID, { profile: "reference" });
    await expect(made).rejects.toThrow('There is no mapping "reference" for qwen-code sessions.');
  });

  it.each([
    ["unchanged", jsonLines(...LINES)],
    [
      "values of wrong types",
      jsonLines(...LINES, { ...LINES[1], uuid: "a2", message: 3, model: 4 }),
    ],
    [
      "invalid parts",
      jsonLines(...LINES, { ...LINES[1], uuid: "a2", message: { role: "model", parts: [1, {}] } }),
    ],
    ["unknown lines", jsonLines(...LINES, { uuid: "x", type: "later", sessionId: ID }, {})],
    ["a torn line", `${jsonLines(...LINES)}{"uuid":"h","parentU`],
  ])("is restored from the record: %s", async (_, text) => {
    expect(await roundTrip(qwenRoot(text), ID)).toEqual(UNHARMED);
  });
});

describe("a session without a mapping", () => {
  it("is refused with a reason for an unsupported format", async () => {
    const message = { id: "m1", timestamp: at(1), type: "user", content: "hi" };
    const value = { sessionId: ID, projectHash: "p", startTime: at(0), lastUpdated: at(1) };
    const path = join("tmp", "0123456789abcdef", "chats", "session-2026-01-01T00-00-5e551003.json");
    const root = rootWith(".qwen", path, JSON.stringify({ ...value, messages: [message] }));
    const made = open({ roots: [root] }).record("latest");
    await expect(made).rejects.toThrow("cannot be made from this format");
  });

  it("is refused for an agent without records", async () => {
    const { native: _, ...abilities } = qwenCode.abilities;
    const root = qwenRoot(jsonLines(...LINES));
    const made = open({ roots: [root], sources: [{ ...qwenCode, abilities }] }).record(ID);
    await expect(made).rejects.toThrow("Records of Qwen Code sessions are not supported yet.");
  });
});
