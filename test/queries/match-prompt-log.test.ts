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

/** Ids of the sessions of which only prompts are left, in a home with that log. */
async function promptsOnly(log: string, more: Record<string, string> = {}): Promise<string[]> {
  const files = { "chats/session-2026-02-10T17-28-5e55100a.jsonl": session, ...more };
  const { library } = homeWith({ ...files, "logs.json": log });
  return (await library.sessions()).promptLogs.map(({ sessionId }) => sessionId);
}

describe("prompts logged under another id than their session's", () => {
  test("are not listed if a session contains all of them", async () => {
    expect(await promptsOnly(logged([499.96, "Go on "], [505, "/quit"]))).toEqual([]);
  });

  test("are listed if one of them is in no session", async () => {
    expect(await promptsOnly(logged([499.96, "Go on"], [504, "And then?"]))).toEqual(["other"]);
  });

  test("are listed if the session has the same text at another time", async () => {
    expect(await promptsOnly(logged([300, "Go on"]))).toEqual(["other"]);
  });

  test("are listed if a prompt would have to match two of them", async () => {
    expect(await promptsOnly(logged([499.5, "Go on"], [499.9, "Go on"]))).toEqual(["other"]);
  });

  test("are listed if two sessions contain them", async () => {
    const twin = jsonl(header("5e55100b"), user("u8", 1, "Twin"), user("u9", 500.1, "Go on"));
    const late = model("g9", 520, "Well.");
    const files = { "chats/session-2026-02-10T17-28-5e55100b.jsonl": twin + jsonl(late) };
    expect(await promptsOnly(logged([499.96, "Go on"]), files)).toEqual(["other"]);
  });

  test("are listed if they are only commands", async () => {
    expect(await promptsOnly(logged([499.96, "/stats"]))).toEqual(["other"]);
  });
});
