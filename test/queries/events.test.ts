import { describe, expect, test } from "vitest";
import type { Session } from "../../src/core/session/session.ts";
import type { SessionEvent } from "../../src/queries/events/event.ts";
import { eventsOf } from "../../src/queries/events/events.ts";
import { sessionOfChat } from "../../src/queries/prompt-logs/chat-session.ts";
import { memoryBytes } from "../../src/kernel/bytes.ts";
import { geminiCli } from "../../src/sources/gemini-cli/index.ts";
import { at, call, header, homeWith, jsonl, model, user } from "../samples/home.ts";
import { AGENT_ID, TOUR_HOME, TOUR_ID } from "../samples/tour.ts";
import { eventProblems } from "./event-problems.ts";

const ALL = { with: ["text", "thoughts", "usage"] } as const;

function chatOf(name: string, content: object): Session {
  const path = `/home/ada/.gemini/tmp/ledger/${name}`;
  const bytes = Buffer.from(JSON.stringify(content));
  const file = {
    path,
    root: "/home/ada/.gemini",
    role: "saved-chat" as const,
    sizeBytes: bytes.length,
    modifiedMs: Date.UTC(2026, 2, 1),
    folder: "ledger",
    isCleaned: false,
  };
  const chat = geminiCli.abilities.savedChats?.read(file, memoryBytes(path, bytes), () => {});
  if (!chat) throw new Error("Saved chats are not read.");
  const project = { name: "ledger", knownBy: "folder-name" } as const;
  return sessionOfChat({ ...chat, project }, chat.source);
}

function line(event: SessionEvent): string {
  const more =
    "callId" in event ? ` ${event.callId}` : "messageId" in event ? ` ${event.messageId}` : "";
  const time = `${event.isTimestampDerived ? "~" : ""}${event.timestamp?.slice(14, 23) ?? "-"}`;
  return `${time} ${event.type}${more}${"outcome" in event ? ` ${event.outcome}` : ""}`;
}

describe("events of a session", () => {
  test("are the start, prompts, calls with results and the end, in order of time", async () => {
    const session = await homeWith(TOUR_HOME).library.session(TOUR_ID);
    expect([...eventsOf(session)].map(line)).toEqual([
      "28:00.000 session_start",
      "28:01.000 user_prompt u1",
      "28:03.000 tool_use read_file__r1",
      "28:04.000 tool_result read_file__r1 success",
      "28:08.000 tool_use replace__e1",
      "28:08.000 tool_use run_shell_command__t1",
      "28:09.000 tool_result replace__e1 success",
      "28:12.000 tool_result run_shell_command__t1 error",
      "28:20.000 user_prompt u2",
      "28:25.000 user_prompt u3",
      "28:28.000 tool_use invoke_agent__a1",
      "28:28.000 tool_use write_todos__w1",
      "28:28.000 tool_use mcp_github_list_issues__m1",
      "28:30.000 tool_result invoke_agent__a1 success",
      "28:31.000 tool_result write_todos__w1 success",
      "28:32.000 tool_result mcp_github_list_issues__m1 cancelled",
      expect.stringMatching(/session_end$/),
    ]);
  });

  test("have the canonical tool, the error and the standing", async () => {
    const session = await homeWith(TOUR_HOME).library.session(TOUR_ID);
    const events = [...eventsOf(session)];
    const failed = events.find((e) => e.type === "tool_result" && e.outcome === "error");
    expect(failed).toMatchObject({
      tool: { name: "run_shell_command", canonical: "shell_exec", category: "Execute", mcp: null },
      error: "exit code 1",
      standing: "live",
    });
    expect(events.find((e) => e.type === "user_prompt" && e.standing === "rewound")).toMatchObject({
      text: "Forget it, wrong file.",
      by: "person",
    });
    expect(events.at(-1)).toMatchObject({ type: "session_end", status: "success" });
    const live = [...eventsOf(session, { standing: "live" })];
    expect(live.some((event) => "standing" in event && event.standing !== "live")).toBe(false);
  });

  test("include model texts, thoughts and usage only on request", async () => {
    const session = await homeWith(TOUR_HOME).library.session(TOUR_ID);
    const types = (events: Iterable<SessionEvent>): Set<string> =>
      new Set([...events].map(({ type }) => type));
    expect(types(eventsOf(session))).toEqual(
      new Set(["session_start", "user_prompt", "tool_use", "tool_result", "session_end"]),
    );
    expect(types(eventsOf(session, ALL))).toContain("model_text");
    const usage = [...eventsOf(session, { with: ["usage"] })].filter(
      ({ type }) => type === "usage",
    );
    expect(usage).toHaveLength(6);
    expect(usage[0]).toMatchObject({ tokens: { input: 1003, cached: 600, total: 1053 } });
  });

  test("have unique ids that do not depend on the requested kinds", async () => {
    const session = await homeWith(TOUR_HOME).library.session(TOUR_ID);
    const some = [...eventsOf(session)].map(({ id }) => id);
    const all = [...eventsOf(session, ALL)].map(({ id }) => id);
    expect(new Set(all).size).toBe(all.length);
    expect(all).toEqual(expect.arrayContaining(some));
    expect([...eventsOf(session, ALL)].map(({ seq }) => seq)).toEqual([...all.keys()]);
  });

  test("of a subsession begin with the task given by the agent", async () => {
    const session = await homeWith(TOUR_HOME).library.session(AGENT_ID);
    const [start, prompt] = [...eventsOf(session)];
    expect(start).toMatchObject({ parentSessionId: TOUR_ID });
    expect(prompt).toMatchObject({
      type: "user_prompt",
      by: "agent",
      text: "Find who calls total().",
    });
  });

  test("have a result after its call, and a late recorded call at its own time", async () => {
    const early = call("read_file__x", "read_file", { output: "x", seconds: 1 });
    const late = call("read_file__y", "read_file", { output: "y", seconds: 30 });
    const text = jsonl(
      header("aaaaaaaa-0000-4000-8000-000000000000"),
      user("u1", 1, "first"),
      model("g1", 5, { toolCalls: [early, late] }),
      user("u2", 20, "second"),
      model("g2", 31, "done"),
    );
    const { library } = homeWith({ "chats/session-2026-02-10T17-28-aaaaaaaa.jsonl": text });
    const actual = [...eventsOf(await library.session("aaaaaaaa"))].map((event) =>
      line(event).slice(10),
    );
    expect(actual.slice(1, -1)).toEqual([
      "user_prompt u1",
      "tool_use read_file__x",
      "tool_result read_file__x success",
      "tool_use read_file__y",
      "user_prompt u2",
      "tool_result read_file__y success",
    ]);
  });
});

const HISTORY = {
  history: [
    { role: "user", parts: [{ text: "help me fix this bug" }] },
    {
      role: "model",
      parts: [
        { functionCall: { name: "read_file", args: { file_path: "/src/main.ts" } } },
        { functionCall: { name: "run_shell_command", args: { command: "make" } } },
        { functionCall: { name: "run_shell_command", args: { command: "make install" } } },
      ],
    },
    {
      role: "user",
      parts: [
        {
          functionResponse: { name: "read_file", response: { name: "read_file", content: "text" } },
        },
        {
          functionResponse: {
            name: "run_shell_command",
            response: { name: "run_shell_command", content: { error: "command not found" } },
          },
        },
        { functionResponse: { name: "run_shell_command", response: { error: "denied" } } },
      ],
    },
    { role: "model", parts: [{ text: "The file contains…" }] },
    { role: "model", parts: [{ functionCall: { name: "glob", args: {} } }] },
  ],
};

describe("events of a saved chat", () => {
  test("have times derived from the file name, increasing and marked as derived", () => {
    const events = [...eventsOf(chatOf("checkpoint-2025-09-18T02-45-3b44bc68.json", HISTORY))];
    expect(events.map(({ type }) => type)).toEqual([
      "session_start",
      "user_prompt",
      "tool_use",
      "tool_use",
      "tool_use",
      "tool_result",
      "tool_result",
      "tool_result",
      "tool_use",
      "session_end",
    ]);
    expect(events[0]).toMatchObject({ derivedFrom: "file-name", isSynthesised: true });
    const times = events.map(({ timestamp }) => timestamp);
    expect(times[0]).toBe("2025-09-18T02:45:00.000Z");
    expect(times.toSorted((a, b) => ((a ?? "") < (b ?? "") ? -1 : 1))).toEqual(times);
    expect(new Set(times).size).toBe(times.length);
    expect(events.every(({ isTimestampDerived }) => isTimestampDerived)).toBe(true);
  });

  test("pair responses with calls by order, and accept both shapes of an error", () => {
    const events = [...eventsOf(chatOf("checkpoint-bug.json", HISTORY))];
    const results = events.filter((event) => event.type === "tool_result");
    expect(results.map(({ tool, outcome, error }) => [tool.canonical, outcome, error])).toEqual([
      ["file_read", "success", null],
      ["shell_exec", "error", "command not found"],
      ["shell_exec", "error", "denied"],
    ]);
    const uses = events.filter((event) => event.type === "tool_use");
    expect(results.map(({ callId }) => callId)).toEqual(
      uses.slice(0, 3).map(({ callId }) => callId),
    );
    expect(new Set(uses.map(({ callId }) => callId)).size).toBe(4);
    expect(events[0]).toMatchObject({
      derivedFrom: "file-time",
      timestamp: "2026-03-01T00:00:00.000Z",
    });
  });
});

describe("the schema of events", () => {
  const everything = async (): Promise<SessionEvent[]> => {
    const { library } = homeWith(TOUR_HOME);
    return [
      ...eventsOf(await library.session(TOUR_ID), ALL),
      ...eventsOf(await library.session(AGENT_ID), ALL),
      ...eventsOf(chatOf("checkpoint-x.json", HISTORY), ALL),
    ];
  };

  test("describes every event of every type", async () => {
    const events = await everything();
    expect(new Set(events.map(({ type }) => type)).size).toBe(8);
    for (const event of events) {
      const written = JSON.parse(JSON.stringify(event)) as unknown;
      expect([event.type, eventProblems(written)]).toEqual([event.type, []]);
    }
  });

  test("refuses an event with a missing, extra or wrong field", async () => {
    for (const event of await everything()) {
      for (const key of Object.keys(event)) {
        const { [key as "seq"]: _gone, ...less } = event;
        expect([key, eventProblems(less)]).not.toEqual([key, []]);
        if (key === "input") continue;
        expect([key, eventProblems({ ...event, [key]: { odd: 1 } })]).not.toEqual([key, []]);
      }
      expect(eventProblems({ ...event, more: 1 })).not.toEqual([]);
      expect(eventProblems({ ...event, timestamp: at(0).slice(0, 10) })).not.toEqual([]);
    }
  });
});
