import { describe, expect, test } from "vitest";
import { summarise } from "../../../src/core/rows/summarise.ts";
import { call, Chain, readChain } from "./records.ts";

describe("the status of a session", () => {
  const error = { uiEvent: { "event.name": "qwen-code.api_error", error_message: "401 no" } };
  test.each([
    [
      "success",
      new Chain()
        .user("A?")
        .request(1)
        .assistant([{ text: "A." }], 1),
    ],
    ["interrupted", new Chain().user("A?")],
    ["success", new Chain().user("A?").assistant([{ text: "Written by another program." }])],
    [
      "cancelled",
      new Chain()
        .user("A?")
        .system("attribution_snapshot", {})
        .assistant([{ text: "Hal" }]),
    ],
    ["failure", new Chain().user("A?").system("ui_telemetry", error)],
    [
      "cancelled",
      new Chain()
        .request(1)
        .assistant([], 1)
        .user("A?")
        .assistant([{ text: "Hal" }]),
    ],
    [
      "cancelled",
      new Chain()
        .assistant([call("c1", "run_shell_command", {})], 1)
        .result("c1", { error: "[Operation Cancelled] x" }, { status: "cancelled" }),
    ],
  ])("is %s", (status, chain) => {
    const [session] = readChain(chain).sessions;
    expect(session && summarise(session).status).toBe(status);
  });
});

test("what was spoken beside the conversation is no answer", () => {
  const spoken = { subtype: "realtime_message" };
  const chain = new Chain()
    .user("A?")
    .request(1)
    .assistant([{ text: "A." }], 1);
  chain.user("Hello?", spoken);
  chain.add("assistant", { ...spoken, message: { role: "model", parts: [{ text: "Hi." }] } });
  const [session] = readChain(chain).sessions;
  expect(session?.messages.map(({ author, text }) => `${author}: ${text}`)).toEqual([
    "user: A?",
    "model: A.",
    "notice: Hello?",
    "notice: Hi.",
  ]);
  expect(session && summarise(session).status).toBe("success");
});
