import { describe, expect, test } from "vitest";
import type { Session } from "../../../src/core/session/session.ts";
import { call, Chain, OTHER, readMade, SESSION } from "./records.ts";

/** Gemini's API gives no ids: Qwen Code counts the calls of each conversation from one. */
const FIRST = "call_qwen_1";

function agentOf(agentId: string): Chain {
  return new Chain({ isSidechain: true, agentId, agentName: "scout" }).user("Look.");
}

function ended(name: string, run?: string): Record<string, unknown> {
  const uiEvent = {
    "event.name": "qwen-code.tool_call",
    function_name: name,
    call_id: FIRST,
    status: "success",
    prompt_id: run === undefined ? `${SESSION}########0` : `${SESSION}#${run}#0`,
  };
  return { uiEvent };
}

/** `author: tool outcome` of each call */
function calls(session: Session | undefined): string[] {
  return (session?.messages ?? []).flatMap(({ author, toolCalls, copyOf }) => {
    const from = copyOf === undefined ? author : `copy of ${author}`;
    return toolCalls.map(({ name, outcome }) => `${from}: ${name} ${outcome ?? "without end"}`);
  });
}

describe("a call with the id of another conversation's call", () => {
  const main = new Chain()
    .user("Ask.")
    .assistant([call(FIRST, "agent", { prompt: "Look.", subagent_type: "scout" })])
    .system("ui_telemetry", ended("read_file", `scout-${FIRST}`));
  const scout = agentOf(`scout-${FIRST}`).assistant([call(FIRST, "read_file", {})]);

  test("has no end until its own is recorded", () => {
    const { sessions } = readMade({
      [`chats/${SESSION}.jsonl`]: main.toString(),
      [`subagents/${SESSION}/agent-scout-${FIRST}.jsonl`]: scout.toString(),
    });
    expect(sessions.map(calls)).toEqual([
      ["model: agent without end"],
      ["model: read_file success"],
    ]);
  });

  test("is shown as a notice if the agent's file was deleted", () => {
    const { sessions } = readMade({ [`chats/${SESSION}.jsonl`]: main.toString() });
    expect(sessions.map(calls)).toEqual([
      ["model: agent without end", "notice: read_file success"],
    ]);
  });

  test("leads to the agent that its own conversation began", () => {
    const [outer, inner] = [`scout-${FIRST}`, "scout-inner"];
    const nested = agentOf(outer).assistant([call(FIRST, "agent", { prompt: "Look." })]);
    const { sessions } = readMade({
      [`chats/${SESSION}.jsonl`]: main.toString(),
      [`subagents/${SESSION}/agent-${outer}.jsonl`]: nested.toString(),
      [`subagents/${SESSION}/agent-${inner}.jsonl`]: agentOf(inner).toString(),
      [`subagents/${SESSION}/agent-${inner}.meta.json`]: {
        parentAgentId: outer,
        toolUseId: FIRST,
      },
    });
    const links = sessions.map(({ id, messages }) => [
      id,
      ...messages.flatMap(({ toolCalls }) => toolCalls.map(({ agentId }) => agentId)),
    ]);
    expect(links).toEqual([
      [SESSION, `${SESSION}~${outer}`],
      [`${SESSION}~${outer}`, `${SESSION}~${inner}`],
      [`${SESSION}~${inner}`],
    ]);
  });
});

test("a fork's copy of an agent's call is a copy", () => {
  const fork = new Chain({ sessionId: OTHER });
  const first = new Chain().user("Ask.").system("ui_telemetry", ended("read_file", "scout-c1"));
  fork.records.push(
    ...first.records.map((record) => ({
      ...record,
      sessionId: OTHER,
      forkedFrom: { sessionId: SESSION, messageUuid: record.uuid },
    })),
  );
  const { sessions } = readMade({ [`chats/${OTHER}.jsonl`]: fork.toString() });
  expect(sessions.map(calls)).toEqual([["copy of notice: read_file success"]]);
});

test.each(["full", "outline"] as const)(
  "an agent with an id of its own is linked to the call with its task (%s)",
  (depth) => {
    const tasks = ["First, look.", `${"Look around. ".repeat(30)}Twice.`];
    const begun = tasks.map((prompt, at) => call(`c${at}`, "agent", { prompt }));
    const files = tasks.map((task, at): [string, string] => {
      const agentId = `scout-0000000${at}`;
      const chain = new Chain({ isSidechain: true, agentId, agentName: "scout" }).user(task);
      return [`subagents/${SESSION}/agent-${agentId}.jsonl`, chain.toString()];
    });
    const main = new Chain().user("Ask.").assistant(begun).toString();
    const { sessions } = readMade(
      { [`chats/${SESSION}.jsonl`]: main, ...Object.fromEntries(files) },
      depth,
    );
    const linked = sessions[0]?.messages.flatMap(({ toolCalls }) => toolCalls) ?? [];
    expect(linked.map(({ id, agentId }) => [id, agentId])).toEqual([
      ["c0", `${SESSION}~scout-00000000`],
      ["c1", `${SESSION}~scout-00000001`],
    ]);
    expect(sessions.slice(1).map(({ parentCallId }) => parentCallId)).toEqual(["c0", "c1"]);
  },
);

test("a request of the conversation is its own, even if it names the agent that ended", () => {
  const agentId = `scout-${FIRST}`;
  const named = { subagent_name: "scout", subagent_id: agentId };
  const main = new Chain()
    .user("Ask.")
    .request(1, { ...named, prompt_id: `${SESSION}#${agentId}#0` })
    .user("<task-notification>done</task-notification>", { subtype: "notification" })
    .request(2, { ...named, prompt_id: `${SESSION}########1` })
    .assistant([{ text: "It is done." }], 2);
  const { sessions } = readMade({
    [`chats/${SESSION}.jsonl`]: main.toString(),
    [`subagents/${SESSION}/agent-${agentId}.jsonl`]: agentOf(agentId).toString(),
  });
  expect(sessions.map(({ replies }) => replies.map(({ counts }) => counts.input))).toEqual([
    [2000],
    [1000],
  ]);
});
