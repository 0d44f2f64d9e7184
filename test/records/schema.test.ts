import { describe, expect, it } from "vitest";
import { asFile, schema } from "./made.ts";

type Plain = Record<string, unknown>;

/** A record with every member of the schema. */
function fullRecord(): Plain {
  const repository = "https://example.org/r";
  const vcs = { type: "git", revision: "abc", branch: "main", repository };
  const contributor = { type: "ai", "model-id": "m" };
  return {
    version: "3.0.0-draft",
    id: "r",
    created: "2026-01-02T03:04:05.678Z",
    "recording-agent": { name: "pollux", version: "1", "x-profile": "lossless" },
    vcs,
    "file-attribution": {
      files: [
        {
          path: "a.c",
          conversations: [
            {
              url: "https://example.org/c",
              contributor,
              ranges: [
                {
                  "start-line": 1,
                  "end-line": 2,
                  "content-hash": "00",
                  "content-hash-alg": "sha-256",
                  contributor: { type: "mixed" },
                },
              ],
              related: [{ type: "issue", url: "https://example.org/i" }],
            },
          ],
        },
      ],
    },
    "x-attribution": {
      "content-hash-covers": "lines",
      files: [{ path: "a.c", known: true, "as-of": "c1", "shell-ran-after": false }],
    },
    session: {
      format: "interactive",
      "session-id": "s",
      "session-start": 1_767_323_045_678,
      "session-end": "2026-01-02T03:04:05+01:00",
      "agent-meta": {
        "model-id": "m",
        "model-provider": "p",
        models: ["m", "n"],
        "cli-name": "c",
        "cli-version": "1",
      },
      environment: { "working-dir": "/home/ada", vcs: { ...vcs }, sandboxes: ["/tmp"] },
      "x-left-out": { rewound: 1 },
      "x-native": {
        form: 1,
        files: [{ name: "s.jsonl", format: "append-jsonl", size: 1, sha256: "0".repeat(64) }],
        acts: [
          { file: 0 },
          { value: {} },
          { entry: 0 },
          { entry: 0, count: 2 },
          {
            entry: 1,
            edits: [
              { op: "remove", path: "/a" },
              { op: "set", path: "", value: 1 },
            ],
          },
          {
            value: {},
            at: "/messages",
            list: [{ entry: 0, count: 2 }, { value: 1 }, { text: "x" }],
          },
          { text: "{" },
          { base64: "AA==" },
          { unread: 12 },
        ],
      },
      entries: [
        {
          type: "user",
          content: "hi",
          id: "u",
          timestamp: "2026-01-02T03:04:05Z",
          "parent-id": "t",
          "x-standing": "rewound",
          "x-standing-reason": "rewind",
          "x-copy-of": "t",
        },
        {
          type: "assistant",
          content: [{ text: "yes" }],
          "model-id": "m",
          "token-usage": { input: 1, output: 2, cached: 0, reasoning: 3, total: 6, cost: 0.25 },
          children: [
            { type: "reasoning", content: "hm", subject: "s", encrypted: "e" },
            { type: "tool-call", name: "t", input: null, "call-id": "c", status: "cancelled" },
            { type: "tool-result", output: [], "call-id": "c", status: "error", "is-error": true },
          ],
        },
        { type: "system-event", "event-type": "info", data: { content: "note" } },
      ],
    },
  };
}

const check = (record: unknown) => schema.checkRecord(asFile(JSON.stringify(record)));

/** The record with one member changed; `undefined` removes it. */
function changed(path: string, value: unknown): Plain {
  const record = fullRecord();
  const keys = path.split("/").slice(1);
  const last = keys.pop() ?? "";
  const holder = keys.reduce<Plain>((inner, key) => inner[key] as Plain, record);
  if (!(last in holder) && value === undefined) throw new Error(`${path} is not there`);
  if (value === undefined) delete holder[last];
  else holder[last] = value;
  return record;
}

const RANGE = "/file-attribution/files/0/conversations/0/ranges/0";
const CHILD = "/session/entries/1/children";

describe("the schema accepts", () => {
  it("a record with all its members", () => {
    expect(check(fullRecord())).toBeUndefined();
  });

  it("the smallest record", () => {
    const agent = { "model-id": "m", "model-provider": "p" };
    const session = { "session-id": "s", "agent-meta": agent, entries: [] };
    expect(check({ version: "1", id: "r", session })).toBeUndefined();
  });

  it.each([
    "/created",
    "/recording-agent",
    "/recording-agent/version",
    "/vcs",
    "/vcs/revision",
    "/file-attribution",
    "/x-attribution",
    `${RANGE}/content-hash`,
    `${RANGE}/contributor`,
    "/file-attribution/files/0/conversations/0/related",
    "/session/format",
    "/session/session-start",
    "/session/session-end",
    "/session/environment",
    "/session/environment/vcs",
    "/session/agent-meta/models",
    "/session/x-native",
    "/session/entries/0/content",
    "/session/entries/1/token-usage",
    "/session/entries/1/token-usage/input",
    `${CHILD}/0/subject`,
    `${CHILD}/1/call-id`,
    `${CHILD}/2/status`,
    "/session/entries/2/data",
  ])("a record without %s", (path) => {
    expect(check(changed(path, undefined))).toBeUndefined();
  });

  it.each([
    ["/anything", { a: [1] }],
    ["/session/anything", null],
    ["/session/agent-meta/anything", 1],
    ["/session/environment/anything", 1],
    ["/vcs/anything", 1],
    ["/recording-agent/anything", 1],
    ["/session/entries/0/anything", 1.5],
    [`${CHILD}/1/anything`, "x"],
    ["/session/entries/1/token-usage/anything", "x"],
    ["/session/entries/0/content", null],
    [`${CHILD}/1/input`, { deep: { er: [] } }],
    ["/session/session-start", "2026-01-02t03:04:60.5z"],
    ["/created", 0],
    ["/session/entries", []],
  ])("a record with another %s", (path, value) => {
    expect(check(changed(path, value))).toBeUndefined();
  });
});

describe("the schema refuses", () => {
  it.each([
    ["/version", ""],
    ["/id", ""],
    ["/session", ""],
    ["/session/session-id", "/session"],
    ["/session/entries", "/session"],
    ["/session/agent-meta", "/session"],
    ["/session/agent-meta/model-id", "/session/agent-meta"],
    ["/session/agent-meta/model-provider", "/session/agent-meta"],
    ["/recording-agent/name", "/recording-agent"],
    ["/vcs/type", "/vcs"],
    ["/session/environment/working-dir", "/session/environment"],
    [`${RANGE}/start-line`, RANGE],
    [`${RANGE}/end-line`, RANGE],
    ["/file-attribution/files/0/path", "/file-attribution/files/0"],
    [`${RANGE}/contributor/type`, `${RANGE}/contributor`],
    ["/session/entries/0/type", "/session/entries/0"],
    [`${CHILD}/1/name`, `${CHILD}/1`],
    [`${CHILD}/1/input`, `${CHILD}/1`],
    [`${CHILD}/2/output`, `${CHILD}/2`],
    [`${CHILD}/0/content`, `${CHILD}/0`],
    ["/session/entries/2/event-type", "/session/entries/2"],
    ["/session/x-native/form", "/session/x-native"],
    ["/session/x-native/files/0/sha256", "/session/x-native/files/0"],
  ])("a record without %s, and locates the error", (path, where) => {
    const actual = check(changed(path, undefined));
    expect(actual?.path).toBe(where);
    expect(actual?.message).toContain("missing");
  });

  it.each([
    ["/version", 3],
    ["/id", null],
    ["/created", "yesterday"],
    ["/created", -1],
    ["/created", 1.5],
    ["/session/session-start", "2026-13-02T03:04:05Z"],
    ["/session/session-end", "2026-01-02 03:04:05Z"],
    ["/session/session-id", 7],
    ["/session/format", 7],
    ["/session/entries", {}],
    ["/session/entries/0", "x"],
    ["/session/entries/0/type", "model"],
    ["/session/entries/0/id", 1],
    ["/session/entries/0/timestamp", true],
    ["/session/entries/0/x-standing", "live"],
    ["/session/entries/1/model-id", null],
    ["/session/entries/1/token-usage", 42],
    ["/session/entries/1/token-usage/input", -1],
    ["/session/entries/1/token-usage/input", "1"],
    ["/session/entries/1/token-usage/total", 1.5],
    ["/session/entries/1/token-usage/cost", "free"],
    ["/session/entries/1/children", "spoof"],
    [`${CHILD}/1/name`, null],
    [`${CHILD}/1/status`, 1],
    [`${CHILD}/2/is-error`, "true"],
    [`${CHILD}/0/subject`, 1],
    ["/session/entries/2/data", []],
    ["/session/agent-meta/models", "m"],
    ["/session/agent-meta/models/0", 1],
    ["/recording-agent/x-profile", "other"],
    [`${RANGE}/start-line`, 0],
    [`${RANGE}/end-line`, "2"],
    [`${RANGE}/contributor/type`, "robot"],
    [`${RANGE}/anything`, 1],
    ["/file-attribution/anything", 1],
    ["/file-attribution/files/0/anything", 1],
    ["/file-attribution/files/0/conversations/0/anything", 1],
    ["/session/x-native/form", 2],
    ["/session/x-native/files", []],
    ["/session/x-native/files/0/sha256", "x"],
    ["/session/x-native/acts/0", { file: -1 }],
    ["/session/x-native/acts/1", {}],
    ["/session/x-native/acts/2", { entry: "0" }],
    ["/session/x-native/acts/3", { entry: 0, count: 0 }],
    ["/session/x-native/acts/4", { entry: 0, edits: [] }],
    ["/session/x-native/acts/4", { entry: 0, edits: [{ op: "move", path: "/a" }] }],
  ])("a record with another %s: %j", (path, value) => {
    const actual = check(changed(path, value));
    expect(actual).toBeDefined();
    // The reported path is at the change, above it, or inside it.
    const where = actual?.path ?? "";
    expect(where.startsWith(path) || path.startsWith(where)).toBe(true);
  });

  it("entries nested too deeply to be checked", () => {
    const deep = (inner: unknown, depth: number): unknown =>
      depth === 0 ? inner : { type: "user", children: [deep(inner, depth - 1)] };
    expect(check(changed("/session/entries/0", deep({ type: "user" }, 90)))).toBeUndefined();
    const actual = check(changed("/session/entries/0", deep({ type: "nobody" }, 90)));
    expect(actual?.path).toMatch(/^\/session\/entries\/0(\/children\/0){90}\/type$/);
    const beyond = check(changed("/session/entries/0", deep({ type: "user" }, 400)));
    expect(beyond?.message).toBe("it is nested too deeply");
  });

  it("an invalid entry deep inside", () => {
    const child = { type: "tool-call", name: "t", input: 1, children: [{ type: "reasoning" }] };
    expect(check(changed(`${CHILD}/1`, child))).toEqual({
      path: `${CHILD}/1/children/0`,
      message: 'the member "content" is missing',
    });
  });
});
