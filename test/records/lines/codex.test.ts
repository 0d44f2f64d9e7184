import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { open } from "../../../src/library/library.ts";
import { asFile, recordBytes, recordOf, schema } from "../made.ts";
import { bytesOf, restored, roundTrip, UNHARMED } from "../round-trip.ts";
import { CODEX_ID, codexRoot, jsonLines } from "./made.ts";

/** Optional data outside the repository: a real public session, and the record of the scripts. */
const folder = join("..", "shared", "vac");
const isHere = existsSync(folder);
const WHY = isHere ? "" : ` (not beside the project: ${folder})`;

const at = (second: number): string => `2026-01-01T00:00:0${second}.000Z`;
const item = (payload: object, second = 3): object => {
  return { timestamp: at(second), type: "response_item", payload };
};
const event = (payload: object): object => ({ timestamp: at(4), type: "event_msg", payload });

const META = {
  timestamp: at(0),
  type: "session_meta",
  payload: {
    id: CODEX_ID,
    timestamp: at(0),
    cwd: "/srv/ledger",
    originator: "codex_exec",
    cli_version: "0.98.0",
    model_provider: "openai",
    git: { commit_hash: "c0ffee", branch: "main", repository_url: "https://example.org/l.git" },
  },
};
const CONTEXT = {
  timestamp: at(1),
  type: "turn_context",
  payload: { cwd: "/srv/ledger", model: "gpt-5.2-codex" },
};
const usage = {
  input_tokens: 10,
  cached_input_tokens: 4,
  output_tokens: 3,
  reasoning_output_tokens: 1,
  total_tokens: 13,
};
const info = { total_token_usage: usage, last_token_usage: usage, model_context_window: 99 };
const says = [{ type: "input_text", text: "Fix the total." }];
const summary = [
  { type: "summary_text", text: "One" },
  { type: "summary_text", text: "Two" },
];

const LINES = [
  META,
  item({ type: "message", role: "developer", content: says }, 1),
  item({ type: "message", role: "user", content: says }, 2),
  event({ type: "user_message", message: "Fix the total.", images: [] }),
  CONTEXT,
  event({ type: "agent_reasoning", text: "One" }),
  item({ type: "reasoning", summary, content: null, encrypted_content: "gAAA" }),
  item({ type: "function_call", name: "exec_command", arguments: "{}", call_id: "c1" }),
  item({ type: "function_call_output", call_id: "c1", output: "done" }),
  item({
    type: "custom_tool_call",
    status: "completed",
    call_id: "c2",
    name: "apply_patch",
    input: "",
  }),
  item({ type: "web_search_call", status: "completed", action: { query: "total" } }),
  event({ type: "token_count", info, rate_limits: null }),
];

const timestamp = at(3);
const ENTRIES = [
  { type: "user", timestamp: at(1), content: says },
  { type: "user", timestamp: at(2), content: says },
  { type: "user", timestamp: at(4), content: "Fix the total.", images: [] },
  { type: "reasoning", timestamp: at(4), content: "One" },
  { type: "reasoning", timestamp, content: "One\nTwo", encrypted: "gAAA" },
  { type: "tool-call", timestamp, name: "exec_command", input: "{}", "call-id": "c1" },
  { type: "tool-result", timestamp, output: "done", "call-id": "c1" },
  {
    type: "tool-call",
    timestamp,
    name: "apply_patch",
    input: "",
    "call-id": "c2",
    status: "completed",
  },
  {
    type: "tool-call",
    timestamp,
    name: "web_search",
    input: { query: "total" },
    status: "completed",
  },
  { type: "system-event", timestamp: at(4), "event-type": "token-count", "token-usage": info },
];

describe("a session of Codex", () => {
  const root = (): string => codexRoot(jsonLines(...LINES));

  it("becomes the record that the draft's scripts would make", async () => {
    expect(await recordOf(root(), { profile: "reference" })).toEqual({
      version: "3.0.0-draft",
      id: CODEX_ID,
      created: at(0),
      "recording-agent": { name: "vac-validate", version: "3.0.0-draft" },
      session: {
        format: "interactive",
        "session-id": CODEX_ID,
        "session-start": at(0),
        "agent-meta": {
          "model-id": "gpt-5.2-codex",
          "model-provider": "openai",
          "cli-name": "codex-cli",
          "cli-version": "0.98.0",
        },
        environment: { "working-dir": "/srv/ledger" },
        entries: ENTRIES,
      },
    });
  });

  it('has neither counts nor call status in profile "seed"', async () => {
    const { session } = await recordOf(root(), { profile: "seed" });
    const { "token-usage": _, ...count } = ENTRIES.at(-1) as Record<string, unknown>;
    const { status, ...search } = ENTRIES.at(-2) as Record<string, unknown>;
    expect(status).toBe("completed");
    expect(session.entries.slice(-2)).toEqual([search, count]);
  });

  it("keeps in the lossless record what the draft drops, and marks echoes", async () => {
    const { session } = await recordOf(root());
    expect(session.entries).toHaveLength(LINES.length);
    expect(session["environment"]).toMatchObject({
      vcs: { type: "git", revision: "c0ffee", branch: "main" },
    });
    expect(session.entries[0]).toMatchObject({ data: { originator: "codex_exec" } });
    expect(session.entries.filter((entry) => entry["x-echo"] === true)).toHaveLength(2);
    expect(session.entries.at(-1)).toMatchObject({
      "token-usage": { input: 10, cached: 4, output: 3, reasoning: 1, total: 13 },
      data: { info },
    });
    // Only the `content: null` of a thought needs an edit.
    const edits = [{ op: "set", path: "/payload/content", value: null }];
    expect(session["x-native"]).toMatchObject({
      acts: [{ file: 0 }, { entry: 0, count: 6 }, { entry: 6, edits }, { entry: 7, count: 5 }],
    });
  });

  it("is restored from the lossless record", async () => {
    expect(await roundTrip(root(), CODEX_ID)).toEqual(UNHARMED);
  });
});

describe("unusual rollouts of Codex are restored from the lossless record", () => {
  const hi = item({ type: "message", role: "user", content: says }, 2);
  const text = JSON.stringify(hi);
  const header = { id: CODEX_ID, timestamp: at(0), instructions: null };
  const bare = { type: "message", role: "user", content: says };

  it.each([
    ["an output without a call", jsonLines(META, hi, item({ type: "function_call_output" }))],
    ["calls without members", jsonLines(META, hi, item({ type: "function_call" }))],
    ["unknown items and events", jsonLines(META, hi, item({ type: "later", id: 1 }), event({}))],
    ["unknown lines", jsonLines(META, hi, { type: "later", payload: 7 }, { a: 1 }, {})],
    ["lines with ordinals", jsonLines({ ...META, ordinal: 0 }, { ...hi, ordinal: 1 })],
    ["values of wrong types", jsonLines(META, hi, { ...hi, timestamp: "then" }, item({ type: 7 }))],
    ["members with a meaning in records", jsonLines(META, item({ ...bare, children: 1, data: 2 }))],
    [
      "lines without payloads",
      jsonLines(header, { record_type: "state" }, bare, { ...bare, id: "m" }),
    ],
    ["lines that are not objects", `${jsonLines(META)}${text}\n17\n"text"\nnull\n[1]\n`],
    ["a torn line", `${jsonLines(META)}${text}\n${text.slice(0, 60)}`],
    ["glued lines", `${jsonLines(META)}${text.slice(0, 60)}${text}\n`],
  ])("%s", async (_, rollout) => {
    expect(await roundTrip(codexRoot(rollout), CODEX_ID)).toEqual(UNHARMED);
  });

  it("a document, byte by byte", async () => {
    const whole = JSON.stringify({ session: { id: CODEX_ID, timestamp: at(0) }, items: [bare] });
    const root = codexRoot(whole, `rollout-2026-01-01-${CODEX_ID}.json`);
    const [session] = (await open({ roots: [root] }).sessions()).sessions;
    const record = await recordBytes(root, session?.id);
    expect((await recordOf(root, {}, session?.id)).session.entries).toMatchObject([
      { type: "system-event" },
      { type: "user", content: says },
    ]);
    expect(schema.checkRecord(asFile(record))).toBeUndefined();
    const [back] = await restored(record);
    expect(back && bytesOf(back).toString("utf8")).toBe(whole);
  });

  it("a compressed file, byte by byte", async () => {
    // A Zstandard frame with one uncompressed block.
    const plain = Buffer.from(jsonLines(META, hi));
    const head = Buffer.alloc(12);
    head.set([0x28, 0xb5, 0x2f, 0xfd, 0xa0]);
    head.writeUInt32LE(plain.length, 5);
    head.writeUIntLE((plain.length << 3) | 1, 9, 3);
    const packed = Buffer.concat([head, plain]);
    const root = codexRoot(packed, `rollout-2026-01-01T00-00-00-${CODEX_ID}.jsonl.zst`);
    const record = await recordBytes(root, CODEX_ID);
    expect(schema.checkRecord(asFile(record))).toBeUndefined();
    expect((await recordOf(root, {}, CODEX_ID)).session.entries).toMatchObject([
      { type: "system-event" },
      { type: "user", content: says },
    ]);
    const [back] = await restored(record);
    expect(back && bytesOf(back).equals(packed)).toBe(true);
  });
});

describe.skipIf(!isHere)(`the real session of Codex${WHY}`, () => {
  const text = isHere ? readFileSync(join(folder, "example-codex.jsonl"), "utf8") : "";
  const id = "019c4895-0233-7121-9a18-3796ae20e805";
  const root = (): string => codexRoot(text, `rollout-2026-02-10T17-24-10-${id}.jsonl`);

  it("becomes exactly the record of the draft's scripts", async () => {
    const file = join(folder, "reference-codex.json");
    const wanted: unknown = JSON.parse(readFileSync(file, "utf8"));
    expect(await recordOf(root(), { profile: "reference" })).toEqual(wanted);
  });

  it("is restored from the lossless record", async () => {
    expect(await roundTrip(root(), id)).toEqual(UNHARMED);
  });
});
