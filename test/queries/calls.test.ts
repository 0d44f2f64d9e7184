import { describe, expect, test } from "vitest";
import type { Library } from "../../src/library/library.ts";
import type { CallRecord, CallsQuery } from "../../src/queries/usage/calls.ts";
import { at, call, header, homeWith, jsonl, model, user } from "../samples/home.ts";

async function callsOf(library: Library, query?: CallsQuery): Promise<CallRecord[]> {
  const calls: CallRecord[] = [];
  for await (const record of library.calls(query)) calls.push(record);
  return calls;
}

const tokens = { input: 1000, cached: 600, output: 20, thoughts: 30, tool: 50, total: 1150 };

function sample() {
  return homeWith({
    "chats/session-a.jsonl": jsonl(
      header("s1"),
      user("u1", 0, `run the\n tests ${"x".repeat(300)}`),
      model("g1", 5, {
        tokens,
        model: "gemini-2.5-pro",
        toolCalls: [
          call("c1", "run_shell_command", {
            args: { command: "cargo test | tee log" },
            output: "",
          }),
          call("c2", "read_file", { args: { file_path: "a" }, output: "x" }),
        ],
      }),
      { ...model("g2", 6, { text: "done", model: "who-knows" }), timestamp: undefined },
      model("g3", 7, { text: "no counts", tokens: null }),
    ),
  });
}

describe("a call record", () => {
  test("has the field names of other ledgers", async () => {
    const { library, folder } = sample();
    const [first, second, ...more] = await callsOf(library);
    expect(more).toEqual([]);
    expect(first).toEqual({
      dedup_key: "gemini:s1:g1",
      timestamp: at(5),
      model: "gemini-2.5-pro",
      input_tokens: 450,
      output_tokens: 100,
      cached_input_tokens: 600,
      cache_read_input_tokens: 600,
      cache_creation_input_tokens: 0,
      reasoning_tokens: 30,
      web_searches: null,
      is_at_least: false,
      purpose: null,
      tools: ["Bash", "Read"],
      bash_commands: ["cargo", "tee"],
      user_message: expect.stringMatching(/^run the tests x+…$/),
      // 450 × 1.25 + 600 × 0.125 + 100 × 10
      cost: 0.001638,
      cost_micro_usd: 1638,
      session_id: "s1",
      message_id: "g1",
      project: "/home/ada/projects/ledger",
      source: "gemini-cli",
      standing: "live",
      file: `${folder}/.gemini/tmp/ledger/chats/session-a.jsonl`,
      line: 3,
    });
    expect(first?.user_message).toHaveLength(200);
    expect(second).toMatchObject({ timestamp: at(0), cost: null, cost_micro_usd: null });
  });

  test("can count the tool-use prompt as output, as the original parser does", async () => {
    const [first] = await callsOf(sample().library, { arithmetic: "seed" });
    expect(first).toMatchObject({
      input_tokens: 400,
      output_tokens: 150,
      reasoning_tokens: 30,
      is_at_least: false,
      purpose: null,
      // 400 × 1.25 + 600 × 0.125 + 150 × 10
      cost_micro_usd: 2075,
    });
  });

  test("has a subagent's task as its user message", async () => {
    const { library } = homeWith({
      "chats/s1/abc.jsonl": jsonl(
        header("abc", { kind: "subagent" }),
        user("u1", 0, "look around"),
        model("g1", 1, "seen"),
      ),
    });
    const [first] = await callsOf(library);
    expect(first?.user_message).toBe("look around");
  });
});
