import { describe, expect, test } from "vitest";
import {
  answer,
  callBlock,
  ID,
  onlySession,
  prompt,
  record,
  resultRecord,
  textBlock,
} from "./read-files.ts";

describe("calls that a resume leaves out", () => {
  test("a call that never got a result is left out by a resume", () => {
    const lines = [
      prompt("go", { uuid: "a" }),
      answer("msg_1", [textBlock("I sleep.")], { uuid: "b", parentUuid: "a" }),
      answer("msg_1", [callBlock("c1", "Bash", { command: "sleep 9" })], {
        uuid: "c",
        parentUuid: "b",
      }),
      prompt("continue", { uuid: "d", parentUuid: "b" }),
    ];
    const { messages, replies } = onlySession(lines);
    expect(messages.map(({ id, standing }) => [id, standing])).toEqual([
      ["a", "live"],
      ["msg_1", "live"],
      ["c", "rewound"],
      ["d", "live"],
    ]);
    expect(replies.map(({ id, standing }) => [id, standing])).toEqual([["msg_1", "live"]]);
  });

  test("so is one whose parallel call has a result, and the rest of its answer stays", () => {
    const lines = [
      prompt("go", { uuid: "a" }),
      answer("msg_1", [textBlock("Two.")], { uuid: "b", parentUuid: "a" }),
      answer("msg_1", [callBlock("c1", "Task", {})], { uuid: "c", parentUuid: "b" }),
      answer("msg_1", [callBlock("c2", "Bash", {})], { uuid: "d", parentUuid: "c" }),
      resultRecord("c2", "done", { uuid: "e", parentUuid: "d" }),
    ];
    const standings = (session: ReturnType<typeof onlySession>) => {
      return session.messages.map(({ id, standing }) => [id, standing]);
    };
    const killed = [
      ["a", "live"],
      ["msg_1", "live"],
      ["e", "live"],
    ];
    expect(standings(onlySession(lines))).toEqual(killed);
    const resumed = onlySession([...lines, prompt("next", { uuid: "f", parentUuid: "e" })]);
    expect(standings(resumed)).toEqual([
      ["a", "live"],
      ["msg_1", "live"],
      ["c", "rewound"],
      ["e", "live"],
      ["f", "live"],
    ]);
    expect(resumed.replies).toMatchObject([{ standing: "live" }]);
  });

  test("but not a record of several calls, if one of them has a result (1.0.9)", () => {
    const calls = [callBlock("c1", "Read", {}), callBlock("c2", "Bash", {})];
    const both = answer("msg_1", [textBlock("Two."), ...calls], { uuid: "b", parentUuid: "a" });
    const lines = [
      prompt("go", { uuid: "a" }),
      both,
      resultRecord("c1", "done", { uuid: "c", parentUuid: "b" }),
      prompt("next", { uuid: "d", parentUuid: "c" }),
    ];
    const standings = (all: readonly unknown[]) => {
      return onlySession(all).messages.map(({ id, standing }) => [id, standing]);
    };
    const whole = [["a"], ["msg_1"], ["c"], ["d"]].map(([id]) => [id, "live"]);
    expect(standings(lines)).toEqual(whole);
    const killed = [lines[0], both, prompt("next", { uuid: "d", parentUuid: "b" })];
    expect(standings(killed)).toContainEqual(["msg_1", "rewound"]);
  });

  describe("up to 2.1.79 a resume follows the parents only: of parallel calls", () => {
    const version = "2.1.38";
    const lines = [
      prompt("go", { uuid: "a", version }),
      answer("msg_1", [callBlock("c1", "Read", {})], { uuid: "b", parentUuid: "a", version }),
      answer("msg_1", [callBlock("c2", "Bash", {})], { uuid: "c", parentUuid: "b", version }),
      resultRecord("c1", "one", { uuid: "d", parentUuid: "b", version }),
      resultRecord("c2", "two", { uuid: "e", parentUuid: "c", version }),
      answer("msg_2", [textBlock("Both.")], { uuid: "f", parentUuid: "e", version }),
    ];
    const taken = { type: "queue-operation", operation: "dequeue", sessionId: ID };
    const queued = { type: "queue-operation", operation: "enqueue", sessionId: ID };
    const next = (fields: object) => prompt("next", { uuid: "g", parentUuid: "f", ...fields });
    const again = prompt("again", { uuid: "h", parentUuid: "g", version: "2.1.80" });
    const said = record("progress", { uuid: "p", parentUuid: "f", version });
    const exit = prompt("<command-name>/exit</command-name>", { uuid: "x", parentUuid: "f" });
    const blocks = { message: { role: "user", content: [textBlock("next")] } };
    const liveCalls = (more: readonly unknown[]) => {
      const { messages } = onlySession([...lines, ...more]);
      const live = messages.filter(({ standing }) => standing === "live");
      return [live.flatMap(({ toolCalls }) => toolCalls), live.flatMap(({ results }) => results)];
    };

    test.each([
      ["print mode", [taken, next({ version })]],
      ["print mode that records what it queued", [queued, taken, next({ version })]],
      ["an interactive process that ended", [{ ...exit, version }, next({ version })]],
      ["another version", [next({ version: "2.1.62" })]],
    ])("one stays live after %s", (_how, more) => {
      const [calls, results] = liveCalls(more);
      expect(calls).toMatchObject([{ id: "c2", output: "two" }]);
      expect(results).toMatchObject([{ callId: "c2" }]);
      // The other one was not taken back: what it wrote is still there.
      const { messages } = onlySession([...lines, ...more]);
      const left = messages.filter(({ standing }) => standing === "rewritten");
      expect(left).toMatchObject([{ toolCalls: [{ id: "c1" }] }, { results: [{ callId: "c1" }] }]);
    });

    test.each([
      ["the same process goes on", [next({ version })]],
      ["the prompt is one of a stream", [taken, next({ ...blocks, version })]],
      ["a later version resumes", [taken, next({ version: "2.1.80" })]],
      ["a later version resumes again", [taken, next({ version }), taken, again]],
      ["the prompt waited for the end of the answer", [queued, said, taken, next({ version })]],
    ])("all stay live if %s", (_how, more) => {
      const [calls, results] = liveCalls(more);
      expect(calls).toMatchObject([{ id: "c1" }, { id: "c2" }]);
      expect(results).toMatchObject([{ callId: "c1" }, { callId: "c2" }]);
    });
  });
});
