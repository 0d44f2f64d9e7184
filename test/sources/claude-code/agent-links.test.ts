import { expect, test } from "vitest";
import { answer, callBlock, chain, mainFile, prompt, readFiles } from "./read-files.ts";
import { resultRecord, textBlock } from "./read-files.ts";

const SIDE = { isSidechain: true };
const at = (second: number) => ({ timestamp: `2026-11-15T10:00:0${second}.000Z` });
const ran = (callId: string, agentId: string, second: number): Record<string, unknown> => {
  return resultRecord(callId, "done", { toolUseResult: { agentId }, ...at(second) });
};

/** Agents by the call that began them, and the agent of each call. */
function linksIn(files: Parameters<typeof readFiles>[0]): unknown {
  return (["full", "outline"] as const).map((depth) => {
    const { sessions } = readFiles(files, depth);
    const agents = sessions.filter(({ kind }) => kind === "subagent");
    const calls = sessions.flatMap(({ messages }) => messages.flatMap((said) => said.toolCalls));
    return {
      begunBy: Object.fromEntries(agents.map(({ id, parentCallId }) => [id, parentCallId])),
      agents: Object.fromEntries(calls.map(({ id, agentId }) => [id, agentId])),
    };
  });
}

test("an agent that is sent to work again belongs to the call that began it (2.0.73)", () => {
  const task = (id: string, words: string) => callBlock(id, "Task", { prompt: words });
  const main = chain(
    prompt("go", at(0)),
    answer("msg_1", [task("c1", "Begin.")], at(1)),
    ran("c1", "aaaa", 3),
    answer("msg_2", [task("c2", "Go on.")], at(4)),
    ran("c2", "aaaa", 6),
  );
  const agent = [prompt("Begin.", { ...SIDE, ...at(2) }), prompt("Go on.", { ...SIDE, ...at(5) })];
  const id = "agent-aaaa-11111111";
  const links = { begunBy: { [id]: "c1" }, agents: { c1: id, c2: id } };
  expect(linksIn([mainFile(main), mainFile(agent, "agent-aaaa.jsonl")])).toEqual([links, links]);
});

test("the agent of a skill that began during the call is linked if the id is wrong (2.1.9)", () => {
  const skill = (id: string) => callBlock(id, "Skill", { skill: id });
  const main = chain(
    prompt("go", at(0)),
    answer("msg_1", [skill("c1"), skill("c2")], at(1)),
    ran("c1", "bad1", 4),
    ran("c2", "bad2", 7),
  );
  const file = (name: string, second: number) => {
    const said = [
      prompt("Base directory …", { ...SIDE, ...at(second) }),
      answer(`msg_${name}`, [textBlock("One.")], { ...SIDE, ...at(second) }),
    ];
    return mainFile(chain(...said), `agent-${name}.jsonl`);
  };
  const [a, b, c] = ["aaaa", "bbbb", "cccc"].map((name) => `agent-${name}-11111111`);
  const links = {
    begunBy: { [`${a}`]: "c1", [`${b}`]: "c2", [`${c}`]: undefined },
    agents: { c1: a, c2: b },
  };
  const files = [mainFile(main), file("cccc", 8), file("bbbb", 5), file("aaaa", 2)];
  expect(linksIn(files)).toEqual([links, links]);
});
