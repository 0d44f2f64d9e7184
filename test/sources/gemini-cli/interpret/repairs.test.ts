import { describe, expect, test } from "vitest";
import { playText } from "./play.ts";
import { call, header, jsonl, notice, reply, responsePart, time, tokens, user } from "./records.ts";

function document(...messages: object[]): string {
  return JSON.stringify({ ...header(), messages }, null, 2);
}

/** Ids of replies whose usage is marked as repeated. */
function repeated(...messages: object[]): string[] {
  const session = playText(document(...messages));
  return session.messages.filter(({ isUsageRepeated }) => isUsageRepeated).map(({ id }) => id);
}

const moved = (usage: object): object => {
  return reply("g2", "", { toolCalls: [call("c1")], tokens: usage });
};

describe("usage reported early", () => {
  const first = reply("g1", "Running.");
  const update = notice("i", "Update available.");

  test("after a notice is counted once", () => {
    const final = reply("g3", "Done.", { tokens: tokens(200, 9, 50) });
    expect(repeated(user("u", "Go"), first, update, moved(tokens(200, 1, 50)), final)).toEqual([
      "g2",
    ]);
  });

  test("after a task for an agent is counted once", () => {
    const asked = Date.parse(time(2));
    const agent = call(`codebase_investigator-${asked}-ab`, {
      name: "codebase_investigator",
      args: { objective: "First look" },
      timestamp: time(4),
    });
    const task = user("t", "Your task:\n<objective>\nFirst look\n</objective>", {
      timestamp: time(3),
    });
    const done = reply("g2", "", { toolCalls: [agent], tokens: tokens(200, 1, 50) });
    const final = reply("g3", "Done.", { tokens: tokens(200, 9, 50) });
    expect(repeated(user("u", "Go"), first, task, done, final)).toEqual(["g2"]);
  });

  test("is not assumed if prompts, texts or counts differ", () => {
    const final = (usage: object): object => reply("g3", "Done.", { tokens: usage });
    const early = moved(tokens(200, 1, 50));
    expect(repeated(first, update, early, final(tokens(201, 9, 50)))).toEqual([]);
    expect(repeated(first, update, early, final(tokens(200, 9, 51)))).toEqual([]);
    expect(repeated(first, update, moved(tokens(200, 9, 50)), final(tokens(200, 1, 50)))).toEqual(
      [],
    );
    expect(repeated(first, early, final(tokens(200, 9, 50)))).toEqual([]);
    expect(repeated(user("u", "Go"), early, final(tokens(200, 9, 50)))).toEqual([]);
    const spoken = reply("g2", "Words.", { toolCalls: [call("c1")], tokens: tokens(200, 1, 50) });
    expect(repeated(first, update, spoken, final(tokens(200, 9, 50)))).toEqual([]);
  });
});

describe("a task given to an agent", () => {
  const asked = 2;
  const agentCall = (objective: string): object =>
    call(`codebase_investigator_${Date.parse(time(asked))}_0`, {
      name: "codebase_investigator",
      args: { objective },
      timestamp: time(6),
    });
  const prompts = (...messages: object[]): string[] =>
    playText(document(...messages))
      .messages.filter(({ isPrompt }) => isPrompt)
      .map(({ id }) => id);
  const at = (minute: number): object => ({ timestamp: time(minute) });
  const words = "Find out what the ledger does";

  test("inside the parent is not a prompt", () => {
    const task = user("t", `Your task:\n<objective>\n${words}\n</objective>`, at(3));
    const inner = reply("s", "Reading inside.", { toolCalls: [agentCall(words)], ...at(4) });
    expect(
      prompts(user("u", "Investigate", at(1)), reply("g", "I ask.", at(2)), task, inner),
    ).toEqual(["u"]);
  });

  test("that a person typed in the same words is a prompt", () => {
    const ask = user("u2", words, at(1));
    const answer = reply("g2", "I ask.", { toolCalls: [agentCall(words)], ...at(2) });
    expect(prompts(user("u1", "Hi", at(0)), reply("g1", "Hello.", at(0)), ask, answer)).toEqual([
      "u1",
      "u2",
    ]);
  });

  test("in a subagent's own session is not a prompt", () => {
    const session = playText(jsonl(header({ kind: "subagent" }), user("u1", "Look around")));
    expect(session.kind).toBe("subagent");
    expect(session.messages[0]).toMatchObject({ isPrompt: false, text: "Look around" });
    expect(session.messages[0]?.injections.map(({ kind }) => kind)).toEqual(["delegation"]);
  });
});

describe("results in a later message", () => {
  test("are given to the calls without a result", () => {
    const asked = { functionCall: { id: "c1", name: "glob", args: {} } };
    const message = { id: "g1", type: "gemini", content: [asked] };
    const answer = { id: "r1", type: "user", content: [responsePart("c1", "found")] };
    const [reading] = playText(jsonl(header(), message, answer)).messages;
    expect(reading?.toolCalls[0]).toMatchObject({ output: "found", outcome: "success" });
  });
});

describe("a message recorded again", () => {
  const again = (first: object, second: object): Record<string, unknown> => {
    const [message] = playText(jsonl(header(), first, second)).messages;
    return { ...message };
  };

  test("keeps what the later record lacks", () => {
    const thoughts = [{ subject: "S", description: "D" }];
    const whole = reply("g1", "Words.", { thoughts, toolCalls: [call("c1")], timestamp: time(1) });
    const bare = { id: "g1", type: "gemini", content: "Words.", timestamp: time(9) };
    expect(again(whole, bare)).toMatchObject({
      text: "Words.",
      model: "m",
      at: time(1),
      usage: tokens(100),
      thoughts,
      toolCalls: [{ id: "c1", outcome: "success" }],
    });
  });

  test("takes what the later record adds", () => {
    const later = reply("g1", "", { toolCalls: [call("c1")], tokens: tokens(300) });
    expect(again(reply("g1", ""), later)).toMatchObject({
      usage: tokens(300),
      toolCalls: [{ id: "c1" }],
    });
  });

  test("never loses its tokens to undefined, null or zero", () => {
    for (const usage of [undefined, null, tokens(0, 0), {}]) {
      const later = { id: "g1", type: "gemini", content: "x", tokens: usage };
      expect(again(reply("g1", "x"), later)["usage"]).toMatchObject(tokens(100));
    }
  });

  test("keeps the whole output if a later one is masked", () => {
    const cut = [{ functionResponse: { id: "c1", response: { output: "<tool_output_masked>" } } }];
    const first = reply("g1", "", { toolCalls: [call("c1")] });
    const later = reply("g1", "", { toolCalls: [call("c1", { result: cut })] });
    expect(again(first, later)).toMatchObject({ toolCalls: [{ output: "out" }] });
  });

  test("has all its places", () => {
    const [message] = playText(jsonl(header(), reply("g1", "x"), reply("g1", "x"))).messages;
    expect(message?.places.map(({ line }) => line)).toEqual([2, 3]);
    expect(message?.place.line).toBe(2);
  });
});

describe("facts of a session", () => {
  test("come from the earliest start and the latest values", () => {
    const text = jsonl(
      header({ startTime: time(5) }),
      user("u1", "One", { timestamp: time(6) }),
      header({ startTime: time(2) }),
      { $set: { summary: "Old title" } },
      { $set: { summary: "New title", directories: ["/a", "/b"] } },
      reply("g1", "x", { timestamp: time(8), toolCalls: [call("c1", { timestamp: time(9) })] }),
    );
    expect(playText(text)).toMatchObject({
      startedAt: time(2),
      updatedAt: time(9),
      summary: "New title",
      directories: ["/a", "/b"],
    });
  });
});
