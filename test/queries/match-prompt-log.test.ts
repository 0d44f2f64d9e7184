import { describe, expect, test } from "vitest";
import { at, header, homeWith, jsonl, model, user } from "../samples/home.ts";

const said = [user("u1", 10, "First"), model("g1", 12, "Yes."), user("u2", 500, "Go on")];
const answered = [...said, model("g2", 510, "So I do.")];
const session = jsonl(header("5e55100a"), ...answered);

function logged(...prompts: [seconds: number, message: string][]): string {
  return JSON.stringify(
    prompts.map(([seconds, message], messageId) => {
      return { sessionId: "other", messageId, type: "user", message, timestamp: at(seconds) };
    }),
  );
}

/** Of which sessions only prompts are left, says a home with that log. */
async function promptsOnly(log: string, more: Record<string, string> = {}): Promise<string[]> {
  const files = { "chats/session-2026-02-10T17-28-5e55100a.jsonl": session, ...more };
  const { library } = homeWith({ ...files, "logs.json": log });
  return (await library.sessions()).promptLogs.map(({ sessionId }) => sessionId);
}

describe("prompts logged under another id than their session's", () => {
  test("are no session of their own when a session tells all of them", async () => {
    expect(await promptsOnly(logged([499.96, "Go on "], [505, "/quit"]))).toEqual([]);
  });

  test("are listed when one of them is in no session", async () => {
    expect(await promptsOnly(logged([499.96, "Go on"], [504, "And then?"]))).toEqual(["other"]);
  });

  test("are listed when the same was said at another time", async () => {
    expect(await promptsOnly(logged([300, "Go on"]))).toEqual(["other"]);
  });

  test("are listed when the same prompt would have to stand for two", async () => {
    expect(await promptsOnly(logged([499.5, "Go on"], [499.9, "Go on"]))).toEqual(["other"]);
  });

  test("are listed when two sessions tell them", async () => {
    const twin = jsonl(header("5e55100b"), user("u8", 1, "Twin"), user("u9", 500.1, "Go on"));
    const late = model("g9", 520, "Well.");
    const files = { "chats/session-2026-02-10T17-28-5e55100b.jsonl": twin + jsonl(late) };
    expect(await promptsOnly(logged([499.96, "Go on"]), files)).toEqual(["other"]);
  });

  test("are listed when they are nothing but commands", async () => {
    expect(await promptsOnly(logged([499.96, "/stats"]))).toEqual(["other"]);
  });
});
