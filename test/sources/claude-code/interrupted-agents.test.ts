import { expect, test } from "vitest";
import type { Depth } from "../../../src/sources/source.ts";
import {
  answer,
  callBlock,
  chain,
  mainFile,
  prompt,
  readFiles,
  resultRecord,
  textBlock,
} from "./read-files.ts";

const INTERRUPTED = "[Request interrupted by user for tool use]";
const SIDE = { isSidechain: true };

/** 2.0.60: files of agents begin with their first answer; only results name agents. */
function sessionsAt(depth: Depth): ReturnType<typeof readFiles>["sessions"] {
  const at = (minute: number) => ({ timestamp: `2026-11-15T10:0${minute}:00.000Z` });
  const bash = callBlock("c2", "Bash", { command: "sleep 60" });
  const task = callBlock("c1", "Task", { prompt: "Follow.", description: "Follow it" });
  const files = [
    mainFile([answer("msg_0", [textBlock("Ready.")], { ...SIDE, ...at(1) })], "agent-aaaa.jsonl"),
    mainFile(
      chain(
        prompt("go", at(0)),
        answer("msg_1", [task], at(0)),
        resultRecord("c1", INTERRUPTED, { isError: true, ...at(3) }),
      ),
    ),
    mainFile(
      chain(
        answer("msg_2", [bash], { ...SIDE, ...at(2) }),
        resultRecord("c2", INTERRUPTED, { isError: true, ...SIDE, ...at(3) }),
      ),
      "agent-bbbb.jsonl",
    ),
  ];
  return readFiles(files, depth).sessions;
}

test.each(["full", "outline", "usage"] as const)("at depth %s it is not a warm-up", (depth) => {
  const purposes = sessionsAt(depth).flatMap(({ replies }) => {
    return replies.map(({ id, purpose }) => [id, purpose]);
  });
  expect(Object.fromEntries(purposes)).toEqual({
    msg_0: "warm-up",
    msg_1: undefined,
    msg_2: undefined,
  });
});

test("it belongs to the call during which it began, and a warm-up to none", () => {
  const agents = sessionsAt("full").filter(({ kind }) => kind === "subagent");
  const called = agents.map(({ replies: [reply], parentCallId, summary }) => {
    return [reply?.id, parentCallId, summary];
  });
  expect(Object.fromEntries(called.map(([id, ...rest]) => [id, rest]))).toEqual({
    msg_0: [undefined, undefined],
    msg_2: ["c1", "Follow it"],
  });
});

test.each(["full", "usage"] as const)("so does one that was killed, at depth %s", (depth) => {
  const at = (minute: number) => ({ timestamp: `2026-11-15T10:0${minute}:00.000Z` });
  const [text, bash] = [textBlock("I follow."), callBlock("c2", "Bash", { command: "sleep 60" })];
  const agent = (id: string, minute: number) => {
    const blocks = [
      answer(id, [text], { ...SIDE, ...at(minute), message: { stop_reason: null } }),
      answer(id, [bash], { ...SIDE, ...at(minute), message: { stop_reason: "tool_use" } }),
    ];
    return mainFile(chain(...blocks), `agent-${id}.jsonl`);
  };
  const task = (id: string) => callBlock(id, "Task", { prompt: "Follow." });
  const main = chain(
    prompt("go", at(0)),
    answer("msg_1", [task("k1")], at(1)),
    prompt("again", at(3)),
    answer("msg_2", [task("k2")], at(4)),
  );
  const { sessions } = readFiles([agent("aaaa", 2), mainFile(main), agent("bbbb", 5)], depth);
  const agents = sessions.filter(({ kind }) => kind === "subagent");
  expect(agents.flatMap(({ replies }) => replies.map(({ purpose }) => purpose))).toEqual([
    undefined,
    undefined,
  ]);
  if (depth === "full") {
    expect(agents.map(({ parentCallId }) => parentCallId)).toEqual(["k1", "k2"]);
  }
});

test.each(["full", "usage"] as const)("a hook may send a warm-up back, at depth %s", (depth) => {
  const feedback = { ...prompt("Stop hook feedback:\n[check]: once more", SIDE), isMeta: true };
  const [first, second] = ["msg_0", "msg_1"].map((id) => answer(id, [textBlock("Ready.")], SIDE));
  const files = [
    mainFile(chain(prompt("go"))),
    mainFile(chain(first ?? {}, feedback, second ?? {}), "agent-aaaa.jsonl"),
  ];
  const agent = readFiles(files, depth).sessions.find(({ kind }) => kind === "subagent");
  expect(agent?.replies.map(({ purpose }) => purpose)).toEqual(["warm-up", "warm-up"]);
});

test("a warm-up may answer a prompt in the folder of another id (2.1.2)", () => {
  const warmUp = answer("msg_0", [textBlock("Ready.")], { ...SIDE, parentUuid: "elsewhere" });
  const files = [mainFile(chain(prompt("go"))), mainFile([warmUp], "agent-aaaa.jsonl")];
  for (const depth of ["full", "usage"] as const) {
    const { sessions } = readFiles(files, depth);
    const agent = sessions.find(({ kind }) => kind === "subagent");
    expect(agent?.replies.map(({ purpose }) => purpose)).toEqual(["warm-up"]);
    expect(agent?.diagnostics).toEqual([]);
  }
});
