import { describe, expect, test } from "vitest";
import { statusOf } from "../../../../src/core/status.ts";
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

describe("how a session ended", () => {
  test("with a reply: success", () => {
    expect(status(header(), ...turn)).toBe("success");
    expect(status(header(), ...turn, reply("g2", "", { toolCalls: [call("c1")] }))).toBe("success");
  });

  test("with a reply whose tool failed: failure", () => {
    expect(status(header(), ...turn, failed)).toBe("failure");
    expect(status(header(), ...turn, failed, reply("g3", "But here."))).toBe("success");
  });

  test("with a prompt or a tool response that nobody answered: interrupted", () => {
    expect(status(header(), ...turn, user("u2", "Two"))).toBe("interrupted");
    expect(status(header(), ...turn, copy("r1", "user", responsePart("c1")))).toBe("interrupted");
    expect(status(header(), ...turn, user("c", "Please continue."))).toBe("interrupted");
  });

  test("with something that needs no answer: as it was before that", () => {
    const shell = "I ran the following shell command:\n```sh\nls\n```";
    for (const text of [
      shell,
      "<hook_context>x</hook_context>",
      "- **Workspace Directories:**\n",
    ]) {
      expect(status(header(), ...turn, user("x", text))).toBe("success");
    }
  });

  test("with a cancellation: cancelled", () => {
    const cancelled = reply("g2", "", { toolCalls: [call("c1", { status: "cancelled" })] });
    expect(status(header(), ...turn, cancelled)).toBe("cancelled");
    expect(status(header(), user("u1", "One"), notice("i", "Request cancelled."))).toBe(
      "cancelled",
    );
  });

  test("with an error that the program told: failure", () => {
    const error = notice("i", "[API Error: quota]", "error");
    expect(status(header(), user("u1", "One"), error)).toBe("failure");
    expect(status(header(), user("u1", "One"), error, reply("g1", "Then it went."))).toBe(
      "success",
    );
  });

  test("with everything taken back: by the API a failure, by the person cancelled", () => {
    expect(status(header(), snapshot(CONTEXT), user("u1", "One"), snapshot(CONTEXT))).toBe(
      "failure",
    );
    expect(status(header(), ...turn, { $rewindTo: "u1" })).toBe("cancelled");
  });

  test("before anything was said: a stub, or empty", () => {
    expect(status(header())).toBe("stub");
    expect(status(header(), snapshot(CONTEXT))).toBe("stub");
    expect(status(header(), notice("i", "Hello"))).toBe("empty");
    expect(statusOf(playText(JSON.stringify({ sessionId: "S", messages: [] }, null, 2)))).toBe(
      "empty",
    );
  });

  test("only what is live counts", () => {
    expect(status(header(), ...turn, user("u2", "Two"), { $rewindTo: "u2" })).toBe("success");
  });
});
