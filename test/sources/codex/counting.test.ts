import { describe, expect, test } from "vitest";
import type { Line } from "./made-home.ts";
import { counter, event, homeOf, item, meta, sessionOf, START } from "./made-home.ts";
import { said, sessionsOf, THREAD, turn, turnId, usage, writeFile } from "./made-home.ts";

const ONE: Line[] = [meta(THREAD), ...turn(1, THREAD, { said: "One.", total: 10 })];

describe("counting", () => {
  test("follows a total that restarts, stays the same, or is only an estimate", () => {
    const { replies } = sessionOf([
      ...ONE,
      counter(10, 10),
      counter(10, 7040),
      counter(30, 20),
      counter(5, 5),
      counter(4, 4),
      counter(4, 0),
    ]);
    expect(replies.map(({ counts }) => counts.total)).toEqual([10, 20, 5, 4]);
  });

  describe("of two processes that continue a thread in turn", () => {
    const lines = [
      ...turn(1, THREAD, { said: "One.", total: 10 }),
      event("user_message", { message: "Left." }),
      event("user_message", { message: "Right." }),
      said("assistant", "Left one."),
      counter(30, 20),
      counter(10, 10),
      said("assistant", "Right one."),
      counter(35, 25),
      counter(30, 20),
      said("assistant", "Left two."),
      counter(60, 30),
      counter(35, 25),
      said("assistant", "Right two."),
      counter(75, 40),
    ];

    test("follows both totals", () => {
      const { replies, messages } = sessionOf([meta(THREAD, { cli_version: "0.101.0" }), ...lines]);
      expect(replies.map(({ counts }) => counts.total)).toEqual([10, 20, 25, 30, 40]);
      const answers = messages.filter(({ author }) => author === "model");
      const texts = ["One.", "Left one.", "Right one.", "Left two.", "Right two."];
      expect(answers.map(({ text }) => text)).toEqual(texts);
    });

    test("takes an equal total for a restart up to 0.50, where a resume restarts it", () => {
      const again = [counter(10, 10), counter(30, 20), counter(10, 10), counter(30, 20)];
      const totalsOf = (cli_version: string): unknown => {
        const { replies } = sessionOf([meta(THREAD, { cli_version }), ...again]);
        return replies.map(({ counts }) => counts.total);
      };
      expect(totalsOf("0.50.0")).toEqual([10, 20, 10, 20]);
      expect(totalsOf("0.80.0")).toEqual([10, 20]);
    });
  });

  test.each<[string, number[]]>([
    ["0.58.0", [10, 10, 20]],
    ["0.80.0", [10, 20]],
  ])("takes the total after a start for a restart, also if it is equal (%s)", (version, totals) => {
    const start = event("token_count", { info: null });
    const lines = [start, counter(10, 10), counter(10, 10), start, counter(10, 10)];
    const rest = [counter(10, 10), ...turn(1, THREAD, { said: "Newer.", total: 30 }).slice(0, 4)];
    const all = [meta(THREAD, { cli_version: version }), ...lines, ...rest, counter(30, 20)];
    for (const depth of ["full", "usage"] as const) {
      const { replies } = sessionOf(all, depth);
      expect(replies.map(({ counts }) => counts.total)).toEqual(totals);
    }
  });

  test("attributes a usage record to the next change of the total, by response id", () => {
    const record = (responseId: string, input: number): Line => {
      const ids = { thread_id: THREAD, turn_id: turnId(1), response_id: responseId };
      const counted = { ...usage(input), cache_write_input_tokens: 3 };
      return { type: "token_usage_record", payload: { ...ids, usage: counted } };
    };
    const lines = [
      ...ONE,
      record("resp_2", 20),
      counter(30, 20),
      record("resp_2", 20),
      counter(40, 10),
    ];
    const { replies } = sessionOf(lines);
    expect(
      replies.map(({ id, counts }) => [id.split(":")[1], counts.total, counts.cacheWrite5m]),
    ).toEqual([
      ["8", 10, undefined],
      ["resp_2", 20, 3],
    ]);
    expect(replies.every(({ model }) => model === "gpt-5.5")).toBe(true);
  });

  test("up to 0.58 the items of a response follow its counts", () => {
    const ran = (id: string): Line[] => {
      const call = { type: "function_call", name: "shell", arguments: "{}", call_id: id };
      const output = { type: "function_call_output", call_id: id, output: "{}" };
      return [item(call), item(output)];
    };
    const thought = "**Think**";
    const { messages } = sessionOf([
      ...START,
      event("agent_message", { message: "Two at once." }),
      counter(10, 10),
      said("assistant", "Two at once."),
      ...ran("a"),
      ...ran("b"),
      counter(30, 20),
      ...ran("c"),
      event("agent_reasoning", { text: thought }),
      counter(60, 30),
      item({ type: "reasoning", summary: [{ text: thought }] }),
      ...ran("d"),
      counter(100, 40),
      ...ran("e"),
    ]);
    const found = messages.map(({ usage: counts, toolCalls }) => [
      counts?.total,
      toolCalls.map(({ id }) => id).join(),
    ]);
    // The model sees each output after its call.
    expect(found).toEqual([
      [10, "a"],
      [undefined, "b"],
      [20, "c"],
      [30, "d"],
      [40, "e"],
    ]);
  });

  test("takes the model from a turn context after the first response", () => {
    const context = (id: string, model: string): Line => {
      return { type: "turn_context", payload: { turn_id: id, model } };
    };
    const payload = { turn_id: "b", thread_id: THREAD, response_id: "r", usage: usage(5) };
    const lines: Line[] = [
      meta(THREAD),
      event("task_started", { turn_id: turnId(1) }),
      context("a", "gpt-5"),
      { type: "token_usage_record", payload },
      context("b", "gpt-6"),
    ];
    expect(sessionOf(lines).replies.map(({ model }) => model)).toEqual(["gpt-6"]);
    // 0.116 compacts before the first request of a turn, and writes no record.
    const counted = [
      ...ONE,
      event("task_started", { turn_id: "b" }),
      counter(30, 20),
      context("b", "gpt-6"),
      counter(40, 10),
      event("task_started", { turn_id: "c" }),
      counter(50, 10),
    ];
    // A version without turn ids goes on.
    const older: Line = { type: "turn_context", payload: { model: "gpt-5" } };
    const models = sessionOf([...counted, older, counter(60, 10)]).replies.map(
      ({ model }) => model,
    );
    expect(models).toEqual(["gpt-5.5", "gpt-6", "gpt-6", "gpt-6", "gpt-5"]);
  });
});

describe("documents of the first version", () => {
  const items = (texts: readonly string[]): object[] => {
    return texts.map((text) => ({
      role: "user",
      content: [{ type: "input_text", text }],
      type: "message",
    }));
  };
  const name = "sessions/rollout-2025-05-01-cc277c91-afad-4422-a68e-04bf16f20809.json";
  const id = "cc277c91-afad-4422-a68e-04bf16f20809";
  const document = (texts: readonly string[]): string => {
    return JSON.stringify(
      { session: { id, timestamp: "2025-05-01T10:00:00Z" }, items: items(texts) },
      null,
      2,
    );
  };

  function textsIn(content: string): string[] {
    const [session] = sessionsOf(writeFile(homeOf({}), name, content));
    return session?.messages.map(({ text }) => text) ?? [];
  }

  test("written over each other: the tail of the longer one counts", () => {
    const longer = document(["One {", "Two", 'Three "quoted"']);
    const shorter = document(["One {", "Two"]);
    const both = shorter + longer.slice(shorter.length - 40);
    expect(textsIn(both)).toEqual(["One {", "Two", 'Three "quoted"']);
    expect(textsIn(shorter + JSON.stringify(items(["Two", "Last"])).slice(1) + "}")).toEqual([
      "One {",
      "Two",
      "Last",
    ]);
  });

  test("that are cut off give their whole items, and usage is unknown", () => {
    const whole = document(["One", "Two", "Three"]);
    expect(textsIn(whole.slice(0, whole.indexOf("Three")))).toEqual(["One", "Two"]);
    const [session] = sessionsOf(writeFile(homeOf({}), name, whole));
    expect(session?.replies).toEqual([]);
    expect(session?.files[0]).toMatchObject({
      format: "json-document",
      generation: "0.1.2504–0.1.2505",
    });
  });

  test("have items that are read in rollouts, too", () => {
    const call = {
      type: "local_shell_call",
      call_id: "c",
      action: { command: ["bash", "-lc", "ls"] },
    };
    const { messages } = sessionOf([
      ...ONE,
      item(call),
      item({ type: "function_call_output", call_id: "c", output: "{}" }),
    ]);
    expect(messages.at(-1)?.toolCalls[0]).toMatchObject({
      shellLine: "ls",
      label: "Bash",
      outcome: "success",
    });
  });
});
