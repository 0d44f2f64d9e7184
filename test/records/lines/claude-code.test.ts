import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { memoryBytes } from "../../../src/kernel/bytes.ts";
import { signRecord } from "../../../src/records/sign.ts";
import { verifyRecord } from "../../../src/records/verify.ts";
import { asFile, KEYS, recordBytes, recordOf, schema } from "../made.ts";
import { roundTrip, UNHARMED } from "../round-trip.ts";
import { claudeRoot, jsonLines } from "./made.ts";

/** Optional data outside the repository: a real public session, and the record of the scripts. */
const folder = join("..", "shared", "vac");
const isHere = existsSync(folder);
const WHY = isHere ? "" : ` (not beside the project: ${folder})`;

const ID = "5e551001-0000-4000-8000-000000000001";
const shared = {
  isSidechain: false,
  cwd: "/srv/ledger",
  sessionId: ID,
  version: "2.1.34",
  gitBranch: "main",
};
const usage = {
  input_tokens: 3,
  output_tokens: 9,
  cache_read_input_tokens: 100,
  service_tier: "x",
};

const CALLED = [
  { type: "thinking", thinking: "Where is it?", signature: "c2ln" },
  { type: "tool_use", id: "toolu_1", name: "Read", input: { file_path: "/srv/ledger/a" } },
];
const RETURNED = [
  { type: "tool_result", tool_use_id: "toolu_1", content: "no file", is_error: true },
];

const LINES = [
  {
    type: "queue-operation",
    operation: "dequeue",
    timestamp: "2026-01-01T00:00:00.000Z",
    sessionId: ID,
  },
  {
    ...shared,
    type: "user",
    uuid: "u1",
    parentUuid: null,
    timestamp: "2026-01-01T00:00:01.000Z",
    message: { role: "user", content: "Fix the total." },
  },
  {
    ...shared,
    type: "assistant",
    uuid: "a1",
    parentUuid: "u1",
    timestamp: "2026-01-01T00:00:02.000Z",
    requestId: "req_1",
    message: {
      id: "msg_1",
      type: "message",
      role: "assistant",
      model: "claude-opus-4-6",
      content: CALLED,
      stop_reason: null,
      stop_sequence: null,
      usage,
    },
  },
  {
    ...shared,
    type: "user",
    uuid: "u2",
    parentUuid: "a1",
    timestamp: "2026-01-01T00:00:03.000Z",
    toolUseResult: "Error: no file",
    message: {
      role: "user",
      content: RETURNED,
    },
  },
];

/** The record by the rules of the draft's scripts. */
const REFERENCE = {
  version: "3.0.0-draft",
  id: ID,
  created: "2026-01-01T00:00:00.000Z",
  "recording-agent": { name: "vac-validate", version: "3.0.0-draft" },
  session: {
    format: "interactive",
    "session-id": ID,
    "session-start": "2026-01-01T00:00:00.000Z",
    "agent-meta": {
      "model-id": "claude-opus-4-6",
      "model-provider": "anthropic",
      "cli-name": "claude-code",
      "cli-version": "2.1.34",
    },
    environment: { "working-dir": "/srv/ledger" },
    entries: [
      {
        type: "system-event",
        "event-type": "queue-operation",
        timestamp: "2026-01-01T00:00:00.000Z",
      },
      {
        type: "user",
        id: "u1",
        timestamp: "2026-01-01T00:00:01.000Z",
        content: "Fix the total.",
        isSidechain: false,
      },
      {
        type: "assistant",
        id: "a1",
        "parent-id": "u1",
        timestamp: "2026-01-01T00:00:02.000Z",
        content: CALLED,
        "model-id": "claude-opus-4-6",
        "token-usage": { input: 3, output: 9, cached: 100, service_tier: "x" },
        children: [
          { type: "reasoning", content: "Where is it?" },
          {
            type: "tool-call",
            "call-id": "toolu_1",
            name: "Read",
            input: { file_path: "/srv/ledger/a" },
          },
        ],
        isSidechain: false,
        requestId: "req_1",
      },
      {
        type: "user",
        id: "u2",
        "parent-id": "a1",
        timestamp: "2026-01-01T00:00:03.000Z",
        content: RETURNED,
        children: [
          { type: "tool-result", "call-id": "toolu_1", output: "no file", status: "error" },
        ],
        isSidechain: false,
        toolUseResult: "Error: no file",
      },
    ],
  },
};

describe("a session of Claude Code", () => {
  const root = (): string => claudeRoot(jsonLines(...LINES));

  it("becomes the record that the draft's scripts would make", async () => {
    expect(await recordOf(root(), { profile: "reference" })).toEqual(REFERENCE);
  });

  it('has no token counts in profile "seed"', async () => {
    const { session } = await recordOf(root(), { profile: "seed" });
    expect(session.entries).toHaveLength(4);
    expect(session.entries[2]).not.toHaveProperty("token-usage");
  });

  it("keeps in the lossless record what the draft drops", async () => {
    const { session } = await recordOf(root());
    expect(session["environment"]).toEqual({
      "working-dir": "/srv/ledger",
      vcs: { type: "git", branch: "main" },
    });
    expect(session["session-end"]).toBe("2026-01-01T00:00:03.000Z");
    expect(session.entries[0]).toMatchObject({ data: { operation: "dequeue", sessionId: ID } });
    expect(session.entries[2]).toMatchObject({ gitBranch: "main", message: { id: "msg_1" } });
    // Ordinary lines need no edits.
    expect(session["x-native"]).toMatchObject({ acts: [{ file: 0 }, { entry: 0 }, {}, {}] });
  });

  it("is restored from the lossless record", async () => {
    expect(await roundTrip(root(), ID)).toEqual(UNHARMED);
  });
});

describe("a rewound answer of Claude Code", () => {
  const said = { ...shared, type: "user", timestamp: "2026-01-01T00:00:09.000Z" };
  const user = (uuid: string, parentUuid: string | null): object => {
    return { ...said, uuid, parentUuid, message: { role: "user", content: `Say ${uuid}.` } };
  };
  const answer = (uuid: string, parentUuid: string): object => {
    const content = [{ type: "text", text: uuid }];
    const message = { id: `msg_${uuid}`, role: "assistant", model: "claude-x", content, usage };
    return { ...said, type: "assistant", uuid, parentUuid, message };
  };
  const root = (): string => {
    const old = [user("u1", null), answer("a1", "u1"), user("u2", "a1"), answer("a2", "u2")];
    return claudeRoot(jsonLines(...old, user("u3", "a1"), answer("a3", "u3")));
  };

  it("is marked", async () => {
    const { session } = await recordOf(root());
    const marked = session.entries.filter((entry) => entry["x-standing"] === "rewound");
    expect(marked.map(({ id }) => id)).toEqual(["u2", "a2"]);
    expect(await roundTrip(root(), ID)).toEqual(UNHARMED);
  });

  it("is left out on request, with a count", async () => {
    const { session } = await recordOf(root(), { standing: "live" });
    expect(session.entries.map(({ id }) => id)).toEqual(["u1", "a1", "u3", "a3"]);
    expect(session["x-left-out"]).toEqual({ rewound: 2 });
    expect(session).not.toHaveProperty("x-native");
  });
});

describe("signing a record of Claude Code", () => {
  const { privateKey, publicKey } = KEYS.EdDSA;
  const check = (signature: Buffer, record: Buffer): boolean => {
    const input = { signature, record: memoryBytes("r.json", record), key: publicKey };
    return verifyRecord({ ...input, issuer: "ada", mode: "strict" }, schema).isVerified;
  };

  it.each(["lossless", "reference", "seed"] as const)("%s", async (profile) => {
    const record = await recordBytes(claudeRoot(jsonLines(...LINES)), ID, { profile });
    const options = { key: privateKey, issuer: "ada", payload: "detached" } as const;
    const signed = Buffer.concat([...signRecord(asFile(record), schema, options).chunks()]);
    expect(check(signed, record)).toBe(true);
    const changed = Buffer.from(record.toString("utf8").replace("Fix the total", "Fix the totel"));
    expect(check(signed, changed)).toBe(false);
  });
});

describe("unusual transcripts of Claude Code are restored from the lossless record", () => {
  const said = { ...shared, type: "user", uuid: "u1", timestamp: "2026-01-01T00:00:01.000Z" };
  const hi = { ...said, message: { role: "user", content: "hi" } };
  const base = JSON.stringify(hi);

  it.each([
    ["no ids, no times", jsonLines(hi, { type: "user", sessionId: ID, message: { role: "user" } })],
    ["a result without a call", jsonLines(hi, { ...LINES[3], parentUuid: "gone" })],
    ["blocks without ids", jsonLines(hi, withBlocks([{ type: "tool_use" }, { type: "thinking" }]))],
    ["invalid blocks", jsonLines(hi, withBlocks([null, 1, "text", [], { type: 7 }]))],
    ["a line of an unknown type", jsonLines(hi, { ...said, type: "later", content: "?", id: 3 })],
    ["members with a meaning in records", jsonLines({ ...hi, children: 1, id: 2, "x-a": 3 })],
    ["values of wrong types", jsonLines(hi, { ...hi, uuid: 7, timestamp: "then", message: [] })],
    [
      "invalid counts",
      jsonLines({ ...hi, message: { role: "user", usage: { input_tokens: -1 } } }),
    ],
    ["a type that differs from the role", jsonLines(hi, { ...hi, type: "assistant", uuid: "u9" })],
    ["lines that are not objects", `${base}\n17\n"text"\nnull\n[1]\n`],
    [
      "large numbers and unusual notations",
      `${base}\n${base.replace('"hi"', "[1.0, 1e-07, 12345678901234567890]")}\n`,
    ],
    ["a duplicate key", `${base}\n{"type":"user","type":"user","uuid":"u4","sessionId":"${ID}"}\n`],
    ["a torn line", `${base}\n${base.slice(0, 60)}`],
    ["glued lines", `${base}\n${base.slice(0, 60)}${base}\n`],
  ])("%s", async (_, text) => {
    expect(await roundTrip(claudeRoot(text), ID)).toEqual(UNHARMED);
  });

  function withBlocks(content: unknown): object {
    return { ...said, uuid: "a7", type: "assistant", message: { role: "assistant", content } };
  }
});

describe.skipIf(!isHere)(`the real session of Claude Code${WHY}`, () => {
  const text = isHere ? readFileSync(join(folder, "example-claude-code.jsonl"), "utf8") : "";
  const id = "0574c517-2408-4a20-8808-7626fd961640";

  it("becomes exactly the record of the draft's scripts", async () => {
    const file = join(folder, "reference-claude-code.json");
    const wanted: unknown = JSON.parse(readFileSync(file, "utf8"));
    expect(await recordOf(claudeRoot(text, id), { profile: "reference" })).toEqual(wanted);
  });

  it("is restored from the lossless record", async () => {
    expect(await roundTrip(claudeRoot(text, id), id)).toEqual(UNHARMED);
  });
});
