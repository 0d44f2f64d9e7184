import { describe, expect, test } from "vitest";
import type { Session } from "../../../src/core/session/session.ts";
import { factsOf } from "../../../src/core/usage/usage-facts.ts";
import { call, Chain, OTHER, readChain, readMade, SESSION } from "./records.ts";

/** `input/output+thoughts purpose` of each paid reply. */
function paid(session: Session | undefined): string[] {
  return factsOf(session ?? { id: "", ledgerName: "", replies: [] }).map((fact) => {
    const { input, output, thoughts, purpose, standing } = fact;
    const what = `${input}/${output}+${thoughts ?? "?"} ${purpose ?? ""}`.trim();
    return standing === "live" ? what : `${what} (${standing})`;
  });
}

describe("paid usage", () => {
  test("is taken from the telemetry once, even if answers repeat it", () => {
    const chain = new Chain()
      .user("Hi")
      .request(1)
      .assistant([{ text: "Hello" }], 1);
    const { sessions } = readChain(chain);
    expect(paid(sessions[0])).toEqual(["1000/8+2"]);
    expect(sessions[0]?.replies[0]?.messageId).toBe(chain.last);
  });

  test("is the same on the answer: uncounted thoughts are unknown there, too", () => {
    const event = { auth_type: "anthropic", thoughts_token_count: 0 };
    const chain = new Chain()
      .user("Hi")
      .request(1, event)
      .assistant([{ text: "Hello" }], 1);
    const [session] = readChain(chain).sessions;
    const answer = session?.messages.find(({ author }) => author === "model");
    expect(answer?.usage).toEqual(session?.replies[0]?.counts);
    expect(answer?.usage).not.toHaveProperty("thoughts");
  });

  test("is identified by the record, not by the API's id, which local servers repeat", () => {
    const same = { response_id: "chatcmpl-0" };
    const chain = new Chain().user("Hi").request(1, same).request(1, same);
    expect(paid(readChain(chain).sessions[0])).toHaveLength(2);
  });

  test.each([
    ["openai", { output_token_count: 30, thoughts_token_count: 10 }, "1000/20+10"],
    ["anthropic", { output_token_count: 30, thoughts_token_count: 0 }, "1000/30+?"],
    ["gemini", { output_token_count: 20, thoughts_token_count: 10 }, "1000/20+10"],
    ["vertex-ai", { output_token_count: 20, thoughts_token_count: 10 }, "1000/20+10"],
  ])("is split by the total in the dialect %s", (dialect, counts, expected) => {
    const event = { ...counts, auth_type: dialect, total_token_count: 1030 };
    expect(paid(readChain(new Chain().request(1, event)).sessions[0])).toEqual([expected]);
  });

  test.each([
    ["openai", "1000/20+10"],
    ["gemini", "1000/30+10"],
  ])("is split by its parts without a total in the dialect %s", (dialect, expected) => {
    const counts = { output_token_count: 30, thoughts_token_count: 10, total_token_count: 0 };
    const chain = new Chain().request(1, { ...counts, auth_type: dialect });
    expect(paid(readChain(chain).sessions[0])).toEqual([expected]);
  });

  test("is a lower bound if cache writes were lost", () => {
    const isAtLeast = (version: string, authType: string): unknown => {
      const chain = new Chain({ version }).request(1, { auth_type: authType });
      return readChain(chain).sessions[0]?.replies[0]?.isAtLeast;
    };
    expect(isAtLeast("0.15.10", "anthropic")).toBe(true);
    expect(isAtLeast("0.21.2", "anthropic")).toBeUndefined();
    expect(isAtLeast("0.15.10", "openai")).toBeUndefined();
  });

  test("is taken from the answers if a file has no telemetry", () => {
    const chain = new Chain().user("Hi").assistant([{ text: "Hello" }], 3);
    expect(paid(readChain(chain).sessions[0])).toEqual(["3000/24+6"]);
  });

  test("is absent if the API counted nothing", () => {
    const none = { input_token_count: 0, output_token_count: 0, total_token_count: 0 };
    const zero = { ...none, cached_content_token_count: 0, thoughts_token_count: 0 };
    const { sessions } = readChain(new Chain().user("Hi").request(1, zero).assistant([], 1));
    expect(paid(sessions[0])).toEqual([]);
  });

  test("with an invalid count is reported, and the rest is used", () => {
    const chain = new Chain().request(1, { cached_content_token_count: -5 });
    const { sessions, diagnostics } = readChain(chain);
    expect(diagnostics.map(({ code, message }) => `${code}: ${message}`)).toEqual([
      "bad-tokens: Token counts could not be used: cached_content_token_count is negative (-5).",
    ]);
    expect(paid(sessions[0])).toEqual(["1000/8+2"]);
  });
});

describe("requests outside the conversation", () => {
  test("for a compression are recognised by their prompt id or by the next record", () => {
    const chain = new Chain()
      .request(1, { prompt_id: "compress-1794778079905" })
      .user("Go on.")
      .request(2)
      .system("chat_compression", { compressedHistory: [] })
      .request(3);
    expect(paid(readChain(chain).sessions[0])).toEqual([
      "1000/8+2 compression",
      "2000/16+4 compression",
      "3000/24+6",
    ]);
  });

  test("for the memory stay with the session and are not its answers", () => {
    const keeper = { subagent_name: "managed-auto-memory-extractor" };
    const chain = new Chain()
      .user("Hi")
      .request(1)
      .assistant([{ text: "Hello" }], 1);
    const { sessions } = readChain(chain.request(1, keeper));
    expect(paid(sessions[0])).toEqual(["1000/8+2", "1000/8+2 memory"]);
    expect(sessions[0]?.replies[1]?.messageId).toBe(chain.last);
  });
});

describe("an agent's requests", () => {
  const begun = call("call_1", "agent", { prompt: "Look.", subagent_type: "scout" });
  const scout = { isSidechain: true, agentId: "scout-call_1", agentName: "scout" };
  const agent = new Chain(scout).user("Look.").assistant([{ text: "Seen." }], 2);

  test("belong to its own session if it has a file", () => {
    const main = new Chain()
      .user("Ask.")
      .request(1)
      .assistant([begun], 1)
      .request(2, {
        subagent_id: "scout-call_1",
        subagent_name: "scout",
        prompt_id: `${SESSION}#scout-call_1#0`,
      });
    const { sessions } = readMade({
      [`chats/${SESSION}.jsonl`]: main.toString(),
      [`subagents/${SESSION}/agent-scout-call_1.jsonl`]: agent.toString(),
    });
    expect(sessions.map(({ id, kind }) => `${kind} ${id.replace(SESSION, "S")}`)).toEqual([
      "main S",
      "subagent S~scout-call_1",
    ]);
    expect(sessions.map(paid)).toEqual([["1000/8+2"], ["2000/16+4"]]);
    expect(sessions[1]).toMatchObject({ parentId: SESSION, parentCallId: "call_1" });
    expect(sessions[1]?.replies[0]?.messageId).toBe(agent.last);
    const calls = sessions[0]?.messages.flatMap(({ toolCalls }) => toolCalls) ?? [];
    expect(calls.map(({ agentId }) => agentId)).toEqual([sessions[1]?.id]);
  });

  test("stay with the conversation if it has none", () => {
    const main = new Chain()
      .user("Ask.")
      .request(1)
      .assistant([begun], 1)
      .request(2, { prompt_id: `${SESSION}#scout-7p0nj0#0` });
    expect(paid(readChain(main).sessions[0])).toEqual(["1000/8+2", "2000/16+4"]);
  });

  test("are taken from its answers if a killed process wrote no other", () => {
    const main = new Chain().user("Ask.").request(1).assistant([begun], 1);
    const { sessions } = readMade({
      [`chats/${SESSION}.jsonl`]: main.toString(),
      [`subagents/${SESSION}/agent-scout-call_1.jsonl`]: agent.toString(),
    });
    expect(sessions.map(paid)).toEqual([["1000/8+2"], ["2000/16+4"]]);
  });

  test("are taken from the answers if only its file is left", () => {
    const path = `subagents/${SESSION}/agent-scout-call_1.jsonl`;
    expect(readMade({ [path]: agent.toString() }).sessions.map(paid)).toEqual([["2000/16+4"]]);
  });
});

describe("a fork", () => {
  const first = new Chain()
    .user("Hi")
    .request(1)
    .assistant([{ text: "Hello" }], 1);
  const copies = first.records.map((record) => {
    const forkedFrom = { sessionId: SESSION, messageUuid: record.uuid };
    return { ...record, sessionId: OTHER, forkedFrom };
  });
  const fork = new Chain({ sessionId: OTHER });
  fork.records.push(...copies);
  fork
    .user("Go on.")
    .request(2)
    .assistant([{ text: "On." }], 2);
  const files = {
    [`chats/${SESSION}.jsonl`]: first.toString(),
    [`chats/${OTHER}.jsonl`]: fork.toString(),
  };

  test("names its origin, and repeats replies under their own ids", () => {
    const { sessions } = readMade(files);
    const [parent, child] = [SESSION, OTHER].map((id) =>
      sessions.find((session) => session.id === id),
    );
    expect(child?.origins).toEqual([{ sessionId: SESSION, how: "fork" }]);
    expect(parent?.origins).toBeUndefined();
    expect(child?.replies[0]?.id).toBe(parent?.replies[0]?.id);
    expect(paid(child)).toEqual(["1000/8+2", "2000/16+4"]);
    // Otherwise a fork of the fork could be mistaken for the one that paid first.
    expect(child?.startedAt).toBe(fork.records[copies.length]?.["timestamp"]);
  });

  test("continues with copies that are live", () => {
    const child = readMade(files).sessions.find(({ id }) => id === OTHER);
    expect(child?.messages.map(({ text, copyOf, standing }) => [text, copyOf, standing])).toEqual([
      ["Hi", copies[0]?.uuid, "live"],
      ["Hello", copies[2]?.uuid, "live"],
      ["Go on.", undefined, "live"],
      ["On.", undefined, "live"],
    ]);
  });
});
