import { describe, expect, test } from "vitest";
import { Chain, OTHER, PROJECT, readMade, SESSION } from "./records.ts";

describe("the program's own totals", () => {
  const line = (sessionId: string, requests: number, more: object = {}): string => {
    const models = {
      "qwen3-coder-plus": {
        requests,
        inputTokens: 1000 * requests,
        outputTokens: 10 * requests,
        cachedTokens: requests,
        thoughtsTokens: 2 * requests,
        totalTokens: 1010 * requests,
      },
    };
    const startTime = Date.UTC(2026, 4, 4, 10, 0, 0);
    const timestamp = Date.UTC(2026, 4, 4, 11, 0, 0);
    const record = { version: 1, sessionId, timestamp, startTime, project: PROJECT, models };
    return `${JSON.stringify({ ...record, ...more })}\n`;
  };
  const at = (second: number): string => `2026-05-04T10:00:${second}.000Z`;
  const chain = new Chain()
    .user("Hi")
    .request(1)
    .assistant([{ text: "Hello" }], 1);
  const described = (files: Record<string, string>): unknown[] => {
    const { sessions } = readMade({ [`chats/${SESSION}.jsonl`]: chain.toString(), ...files });
    return sessions.flatMap(({ id, unrecorded = [] }) =>
      unrecorded.map(({ requests, counts }) => [id, requests, counts.total]),
    );
  };

  test("add nothing if they equal the records", () => {
    expect(described({ "usage_record.jsonl": line(SESSION, 1) })).toEqual([]);
  });

  test("reveal requests without a record", () => {
    expect(described({ "usage_record.jsonl": line(SESSION, 3) })).toEqual([[SESSION, 2, 2020]]);
  });

  test("of a continued process include what was there before", () => {
    const later = { startTime: Date.UTC(2026, 4, 4, 12), timestamp: Date.UTC(2026, 4, 4, 13) };
    const lines = line(SESSION, 1) + line(SESSION, 2, later);
    expect(described({ "usage_record.jsonl": lines })).toEqual([[SESSION, 1, 1010]]);
  });

  test("of a process that forked its own session contain the copied part twice", () => {
    const own = new Chain({ sessionId: OTHER });
    for (const record of chain.records) {
      const forkedFrom = { sessionId: SESSION, messageUuid: record.uuid };
      own.records.push({ ...record, sessionId: OTHER, forkedFrom });
    }
    const later = { timestamp: at(10) };
    own.user("And now?", later);
    own.request(2);
    Object.assign(own.records.at(-1) ?? {}, later);
    const fork = { [`chats/${OTHER}.jsonl`]: own.toString() };
    expect(described({ ...fork, "usage_record.jsonl": line(OTHER, 1 + 1 + 2) })).toEqual([]);
  });

  test("contain the copied part twice if they begin with the fork", () => {
    const own = new Chain({ sessionId: OTHER });
    const forkedFrom = { sessionId: SESSION };
    for (const record of chain.records) {
      own.records.push({ ...record, sessionId: OTHER, forkedFrom });
    }
    own.system("custom_title", { customTitle: "Hi (Branch)" }, { timestamp: at(10) });
    own.request(2);
    Object.assign(own.records.at(-1) ?? {}, { timestamp: at(20) });
    const fork = { [`chats/${OTHER}.jsonl`]: own.toString() };
    const totals = (startMs: number): string => {
      return line(OTHER, 1 + 1 + 2, { startTime: Date.parse(at(10)) + startMs });
    };
    expect(described({ ...fork, "usage_record.jsonl": totals(40) })).toEqual([]);
    // Another process that resumes the fork.
    expect(described({ ...fork, "usage_record.jsonl": totals(9000) })).toEqual([[OTHER, 2, 1010]]);
  });

  test("contain the sessions that the process left for this one", () => {
    const left = new Chain({ sessionId: OTHER }).user("Before?").request(2).toString();
    const file = { [`chats/${OTHER}.jsonl`]: left };
    const totals = { "usage_record.jsonl": line(SESSION, 1 + 2) };
    expect(described({ ...file, ...totals })).toEqual([]);
    // A process that still runs, or was killed, left a note.
    const note = { [`chats/${OTHER}.runtime.json`]: "{}" };
    expect(described({ ...file, ...note, ...totals })).toEqual([[SESSION, 2, 2020]]);
    // A process that ended has totals of its own.
    const ended = { "usage_record.jsonl": line(SESSION, 1 + 2) + line(OTHER, 2) };
    expect(described({ ...file, ...ended })).toEqual([[SESSION, 2, 2020]]);
  });

  test("are all that is known of a session without a file", () => {
    const lines = line(SESSION, 1) + line(OTHER, 2);
    expect(described({ "usage_record.jsonl": lines })).toEqual([[OTHER, 2, 2020]]);
  });

  test("of a process that served an editor are those of its sessions, under another id", () => {
    expect(described({ "usage_record.jsonl": line(OTHER, 3) })).toEqual([[OTHER, 2, 2020]]);
    const { sessions } = readMade({
      [`chats/${SESSION}.jsonl`]: chain.toString(),
      "usage_record.jsonl": line(OTHER, 1),
    });
    expect(sessions.map(({ id }) => id)).toEqual([SESSION]);
  });

  test("count a request that failed", () => {
    const failed = { "event.name": "qwen-code.api_error", model: "qwen3-coder-plus" };
    chain.system("ui_telemetry", { uiEvent: failed });
    const { models } = JSON.parse(line(SESSION, 2)) as { models: Record<string, object> };
    Object.assign(models["qwen3-coder-plus"] ?? {}, { requests: 3 });
    const totals = { "usage_record.jsonl": line(SESSION, 2, { models }) };
    expect(described(totals)).toEqual([[SESSION, 1, 1010]]);
    const files = { [`chats/${SESSION}.jsonl`]: chain.toString(), ...totals };
    const skimmed = readMade(files, "usage").sessions[0];
    expect(skimmed?.unrecorded?.[0]?.requests).toBe(1);
  });
});
