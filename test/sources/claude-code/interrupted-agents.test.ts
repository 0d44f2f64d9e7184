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
