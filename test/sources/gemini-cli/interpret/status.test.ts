import { describe, expect, test } from "vitest";
import { statusOf } from "../../../../src/core/session/status.ts";
import { playText } from "./play.ts";
import {
  call,
  CONTEXT,
  copy,
  header,
  jsonl,
  notice,
  reply,
  responsePart,
  snapshot,
  user,
} from "./records.ts";

function status(...records: object[]): string {
  return statusOf(playText(jsonl(...records)));
}

const turn = [user("u1", "One"), reply("g1", "First")];
const failed = reply("g2", "", { toolCalls: [call("c1", { status: "error" })] });

describe("the status of a session", () => {
  test("is success after a reply", () => {
    expect(status(header(), ...turn)).toBe("success");
    expect(status(header(), ...turn, reply("g2", "", { toolCalls: [call("c1")] }))).toBe("success");
  });

  test("is failure after a reply whose tool failed", () => {
    expect(status(header(), ...turn, failed)).toBe("failure");
    expect(status(header(), ...turn, failed, reply("g3", "But here."))).toBe("success");
  });

  test("is interrupted after a prompt or tool response without an answer", () => {
    expect(status(header(), ...turn, user("u2", "Two"))).toBe("interrupted");
    expect(status(header(), ...turn, copy("r1", "user", responsePart("c1")))).toBe("interrupted");
    expect(status(header(), ...turn, user("c", "Please continue."))).toBe("interrupted");
  });

  test("does not change by a message that needs no answer", () => {
    const shell = "I ran the following shell command:\n```sh\nls\n```";
    for (const text of [
      shell,
      "<hook_context>x</hook_context>",
      "- **Workspace Directories:**\n",
    ]) {
      expect(status(header(), ...turn, user("x", text))).toBe("success");
    }
  });

  test("is cancelled after a cancellation", () => {
    const cancelled = reply("g2", "", { toolCalls: [call("c1", { status: "cancelled" })] });
    expect(status(header(), ...turn, cancelled)).toBe("cancelled");
    expect(status(header(), user("u1", "One"), notice("i", "Request cancelled."))).toBe(
      "cancelled",
    );
  });

  test("is failure after an error notice", () => {
    const error = notice("i", "[API Error: quota]", "error");
    expect(status(header(), user("u1", "One"), error)).toBe("failure");
    expect(status(header(), user("u1", "One"), error, reply("g1", "Then it went."))).toBe(
      "success",
    );
  });

  test("is failure if the API rolled everything back, and cancelled if the person did", () => {
    expect(status(header(), snapshot(CONTEXT), user("u1", "One"), snapshot(CONTEXT))).toBe(
      "failure",
    );
    expect(status(header(), ...turn, { $rewindTo: "u1" })).toBe("cancelled");
  });

  test("is stub or empty before anything was said", () => {
    expect(status(header())).toBe("stub");
    expect(status(header(), snapshot(CONTEXT))).toBe("stub");
    expect(status(header(), notice("i", "Hello"))).toBe("empty");
    expect(statusOf(playText(JSON.stringify({ sessionId: "S", messages: [] }, null, 2)))).toBe(
      "empty",
    );
  });

  test("depends only on live messages", () => {
    expect(status(header(), ...turn, user("u2", "Two"), { $rewindTo: "u2" })).toBe("success");
  });
});
