import { describe, expect, test } from "vitest";
import { open } from "../../../../src/library/library.ts";
import { madeHome } from "../../made-home.ts";
import { call, header, jsonl, notice, reply, time, user } from "./records.ts";

const CHATS = "tmp/ledger/chats";

describe("subagents", () => {
  const agentCall = call("c1", { name: "invoke_agent", agentId: "agent-1" });
  const parent = jsonl(
    header({ sessionId: "parent", kind: "main" }),
    user("u1", "Investigate"),
    reply("g1", "I ask.", { toolCalls: [agentCall] }),
  );
  const agent = jsonl(
    header({ sessionId: "agent-1", kind: "subagent" }),
    user("t1", "Look around"),
    reply("s1", "Seen."),
  );
  const home = (): string =>
    madeHome({
      [`${CHATS}/session-a.jsonl`]: parent,
      [`${CHATS}/parent/agent-1.jsonl`]: agent,
    });

  test("know their parent and the call that started them", async () => {
    const { sessions } = await open({ roots: [home()] }).sessions();
    const described = sessions.map(({ id, kind, parentId, parentCallId, prompts }) => {
      return [id, kind, parentId, parentCallId, prompts];
    });
    expect(described.toSorted((a, b) => (String(a) < String(b) ? -1 : 1))).toEqual([
      ["agent-1", "subagent", "parent", "c1", 0],
      ["parent", "main", null, null, 1],
    ]);
    expect((await open({ roots: [home()] }).transcript("agent-1")).session.parentCallId).toBe("c1");
  });

  test("have their own tokens", async () => {
    const { sessions } = await open({ roots: [home()] }).sessions();
    expect(sessions.map(({ tokens }) => tokens.total)).toEqual([105, 105]);
  });

  test("keep the id of a parent that is gone", async () => {
    const files = { [`${CHATS}/parent/agent-1.jsonl`]: agent };
    const { sessions } = await open({ roots: [madeHome(files)] }).sessions();
    expect(sessions.map(({ id, parentId }) => [id, parentId])).toEqual([["agent-1", "parent"]]);
  });

  test("with their parent's id get an id of their own (0.31 to 0.36)", async () => {
    const document = (kind: string, minute: number, ...messages: object[]): object => {
      return { ...header({ sessionId: "shared", startTime: time(minute) }), kind, messages };
    };
    const home31 = madeHome({
      [`${CHATS}/session-2026-05-04T10-00-shared.json`]: document("main", 0, user("u1", "Hi")),
      [`${CHATS}/session-2026-05-04T10-03-shared.json`]: document(
        "subagent",
        3,
        user("t1", "Look"),
      ),
    });
    const library = open({ roots: [home31] });
    const described = (await library.sessions()).sessions.map(({ id, kind, parentId }) => [
      id,
      kind,
      parentId,
    ]);
    expect(described.toSorted((a, b) => (String(a) < String(b) ? -1 : 1))).toEqual([
      ["shared", "main", null],
      ["shared~2026-05-04T10-03", "subagent", "shared"],
    ]);
    expect((await library.session("shared~2026-05-04T10-03")).messages.map(({ id }) => id)).toEqual(
      ["t1"],
    );
    expect((await library.session("shared")).messages.map(({ id }) => id)).toEqual(["u1"]);
  });
});

describe("an import", () => {
  const original = jsonl(
    header({ sessionId: "first", startTime: time(1) }),
    user("u1", "Hello", { timestamp: time(1) }),
    reply("g1", "Hi.", { timestamp: time(2) }),
  );
  const imported = jsonl(
    header({ sessionId: "second", startTime: time(9), hasResumableContent: true, messageCount: 2 }),
    notice("import-1", "Imported session from /home/ada/first.jsonl"),
    user("u1", "Hello", { timestamp: time(1) }),
    reply("g1", "Hi.", { timestamp: time(2) }),
    user("u2", "More", { timestamp: time(10) }),
    reply("g2", "Here.", { timestamp: time(11) }),
  );

  test.each(["a", "z"])("counts only its own replies, in any order of files (%s)", async (name) => {
    const home = madeHome({
      [`${CHATS}/session-${name}.jsonl`]: imported,
      [`${CHATS}/session-m.jsonl`]: original,
    });
    const library = open({ roots: [home] });
    const described = (await library.sessions()).sessions.map(
      ({ id, isImport, tokens, prompts }) => {
        return [id, isImport, tokens.total, prompts];
      },
    );
    expect(described.toSorted((a, b) => (String(a) < String(b) ? -1 : 1))).toEqual([
      ["first", false, 105, 1],
      ["second", true, 105, 2],
    ]);
    expect((await library.transcript("second")).session.tokens.total).toBe(105);
  });

  test("of a session that is gone counts all replies", async () => {
    const home = madeHome({ [`${CHATS}/session-a.jsonl`]: imported });
    expect((await open({ roots: [home] }).sessions()).sessions[0]?.tokens.total).toBe(210);
  });
});

describe("files without a session id at their beginning", () => {
  const whole = jsonl(
    header({ sessionId: "torn" }),
    user("u1", "One", { timestamp: time(1) }),
    reply("g1", "First.", { timestamp: time(2) }),
  );
  // The header of this file is lost; a later record names the session.
  const headless = jsonl(
    user("u2", "Two", { timestamp: time(3) }),
    { $set: { sessionId: "torn" } },
    reply("g2", "Second.", { timestamp: time(4) }),
  );
  const late = `${" ".repeat(5000)}\n${headless}`;

  test.each(["a", "z"])("belong to their session in lists and transcripts (%s)", async (name) => {
    const files = { [`${CHATS}/session-m.jsonl`]: whole, [`${CHATS}/session-${name}.jsonl`]: late };
    const library = open({ roots: [madeHome(files)] });
    const ids = (await library.session("torn")).messages.map(({ id }) => id);
    expect(ids).toEqual(["u1", "g1", "u2", "g2"]);
    const { sessions } = await library.sessions();
    expect(sessions.map(({ id, prompts, tokens }) => [id, prompts, tokens.total])).toEqual([
      ["torn", 2, 210],
    ]);
  });

  test("are a separate session if no record names one", async () => {
    const files = { [`${CHATS}/session-alone.jsonl`]: jsonl(user("u1", "One")) };
    const library = open({ roots: [madeHome(files)] });
    const [listed] = (await library.sessions()).sessions;
    expect(listed?.id).toBe("session-alone");
    expect((await library.session("session-alone")).messages.length).toBe(1);
  });

  test("may name it after their messages", async () => {
    const messages = [{ id: "u1", type: "user", content: "x".repeat(6000) }];
    const files = {
      [`${CHATS}/session-a.json`]: JSON.stringify({ messages, sessionId: "behind" }),
    };
    const library = open({ roots: [madeHome(files)] });
    expect((await library.sessions()).sessions.map(({ id }) => id)).toEqual(["behind"]);
    expect((await open({ roots: [madeHome(files)] }).session("behind")).messages.length).toBe(1);
  });
});
