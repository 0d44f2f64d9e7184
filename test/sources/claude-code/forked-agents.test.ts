import { describe, expect, test } from "vitest";
import { answer, callBlock, ID, mainFile, prompt, readFiles } from "./read-files.ts";
import { resultRecord, textBlock } from "./read-files.ts";

describe("agents that Claude Code forks from the conversation", () => {
  test("an agent that was forked for a suggestion gives back what it began with", () => {
    const call = callBlock("c1", "Write", { file_path: "/p/a" });
    const main = mainFile([
      prompt("go", { uuid: "a" }),
      answer("msg_1", [call], { uuid: "b", parentUuid: "a" }),
      prompt("next", { uuid: "e", parentUuid: "d" }),
      prompt("other", { uuid: "f", parentUuid: "a" }),
    ]);
    const side = { isSidechain: true, agentId: "aprompt_suggestion-712bd4" };
    const text = "[SUGGESTION MODE: Suggest what the user might naturally type next.]";
    const lines = [
      { ...resultRecord("c1", "ok"), ...side, uuid: "c", parentUuid: "b" },
      answer("msg_2", [textBlock("Done.")], { ...side, uuid: "d", parentUuid: "c" }),
      prompt(text, { ...side, uuid: "s", parentUuid: "d" }),
      answer("msg_3", [textBlock("run it")], { ...side, uuid: "t", parentUuid: "s" }),
    ];
    const name = `${ID}/subagents/agent-aprompt_suggestion-712bd4.jsonl`;
    for (const depth of ["usage", "outline", "full"] as const) {
      const { sessions } = readFiles([main, mainFile(lines, name)], depth);
      expect(sessions.map(({ kind, id }) => [kind, id])).toEqual([
        ["main", ID],
        ["subagent", `agent-aprompt_suggestion-712bd4-${ID.slice(0, 8)}`],
      ]);
      expect(
        sessions.map(({ replies }) => replies.map(({ id, purpose }) => [id, purpose])),
      ).toEqual([
        [
          ["msg_1", undefined],
          ["msg_2", undefined],
        ],
        [["msg_3", "other"]],
      ]);
      if (depth === "usage") continue;
      expect(sessions.flatMap(({ diagnostics }) => diagnostics)).toEqual([]);
      const said = sessions[0]?.messages ?? [];
      expect(said.map(({ id, standing }) => [id, standing])).toEqual([
        ["a", "live"],
        ["msg_1", "rewound"],
        ["c", "rewound"],
        ["msg_2", "rewound"],
        ["e", "rewound"],
        ["f", "live"],
      ]);
      expect(said[1]?.toolCalls).toMatchObject([{ id: "c1", outcome: "success" }]);
    }
  });

  test("a whole turn may stand in the file of a forked agent", () => {
    const side = { isSidechain: true, agentId: "aprompt_suggestion-88576a" };
    const main = mainFile([
      prompt("one", { uuid: "a" }),
      answer("msg_1", [textBlock("1")], { uuid: "b", parentUuid: "a" }),
    ]);
    const lines = [
      prompt("two", { ...side, uuid: "c", parentUuid: "b" }),
      answer("msg_2", [textBlock("2")], { ...side, uuid: "d", parentUuid: "c" }),
      prompt("[SUGGESTION MODE: Suggest …]", { ...side, uuid: "s", parentUuid: "d" }),
      answer("msg_3", [textBlock("three")], { ...side, uuid: "t", parentUuid: "s" }),
      prompt("[Request interrupted by user]", { ...side, uuid: "u", parentUuid: "t" }),
    ];
    const file = mainFile(lines, `${ID}/subagents/agent-aprompt_suggestion-88576a.jsonl`);
    for (const depth of ["usage", "outline", "full"] as const) {
      const [session, agent] = readFiles([main, file], depth).sessions;
      expect(session?.replies.map(({ id }) => id)).toEqual(["msg_1", "msg_2"]);
      expect(agent?.replies.map(({ id, purpose }) => [id, purpose])).toEqual([["msg_3", "other"]]);
      if (depth === "usage") continue;
      const prompts = session?.messages.filter(({ isPrompt }) => isPrompt) ?? [];
      expect(prompts.map(({ typed, standing }) => [typed, standing])).toEqual([
        ["one", "live"],
        ["two", "live"],
      ]);
      expect(agent?.messages[0]).toMatchObject({
        isPrompt: false,
        injections: [{ kind: "delegation" }],
      });
    }
  });
});

test.each(["full", "usage"] as const)(
  "an agent that compacts begins with a copy of the conversation, at depth %s",
  (depth) => {
    const lines = [
      prompt("go", { uuid: "a" }),
      answer("msg_1", [callBlock("c1", "Bash", {})], { uuid: "b", parentUuid: "a" }),
      resultRecord("c1", "done", { uuid: "c", parentUuid: "b" }),
    ];
    const side = { isSidechain: true, agentId: "acompact-0bcec0106a1c7ca0" };
    const copies = [
      ...lines.map((line) => ({ ...line, ...side })),
      prompt("Respond with TEXT ONLY.", { uuid: "d", parentUuid: "c", ...side }),
      answer("msg_2", [textBlock("A summary.")], { uuid: "e", parentUuid: "d", ...side }),
    ];
    const files = [
      mainFile(copies, `${ID}/subagents/agent-acompact-0bcec0106a1c7ca0.jsonl`),
      mainFile(lines),
    ];
    const { sessions } = readFiles(files, depth);
    const replies = sessions.map((session) => {
      return [session.kind, session.replies.map(({ id, purpose }) => [id, purpose])];
    });
    expect(Object.fromEntries(replies)).toEqual({
      main: [["msg_1", undefined]],
      subagent: [["msg_2", "compression"]],
    });
    const calls = sessions.flatMap(({ messages }) => messages.flatMap((one) => one.toolCalls));
    expect(calls).toHaveLength(depth === "full" ? 1 : 0);
  },
);
