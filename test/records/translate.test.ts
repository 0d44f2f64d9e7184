import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { open } from "../../src/library/library.ts";
import { fileOf } from "../samples/gemini-fixtures.ts";
import { asFile, document, lines, recordBytes, recordOf, rootWith, schema } from "./made.ts";
import { bytesOf, restored, roundTrip, UNHARMED, valuesOf } from "./round-trip.ts";

const AT = "2026-01-01T00:00:00.000Z";
const header = { sessionId: "s1", projectHash: "h", startTime: AT, lastUpdated: AT, kind: "main" };
const user = (id: string, text: string) => {
  return { id, timestamp: AT, type: "user", content: [{ text }] };
};
const reply = (id: string, content: string, more: object = {}) => {
  return {
    id,
    timestamp: AT,
    type: "gemini",
    content,
    thoughts: [],
    model: "gemini-3-pro",
    ...more,
  };
};

describe("a record of a JSONL session", () => {
  it("has one entry per message; a repeated line is only an edit", async () => {
    const call = { id: "c", name: "read_file", args: {}, result: [], status: "success" };
    const root = lines(
      header,
      user("u1", "hi"),
      reply("g1", ""),
      { $set: { lastUpdated: "2026-01-01T00:00:09.000Z" } },
      reply("g1", "", { toolCalls: [{ ...call, timestamp: AT }] }),
    );
    const { session } = await recordOf(root);
    expect(session.entries.map(({ type }) => type)).toEqual(["user", "assistant"]);
    expect(session["session-end"]).toBe("2026-01-01T00:00:09.000Z");
    expect(session["x-native"]).toMatchObject({
      form: 1,
      files: [{ name: "session-2026-01-01T00-00-5e551001.jsonl", format: "append-jsonl" }],
      acts: [
        { file: 0 },
        { value: header },
        { entry: 0 },
        { entry: 1, edits: [{ op: "remove", path: "/toolCalls" }] },
        { value: { $set: { lastUpdated: "2026-01-01T00:00:09.000Z" } } },
        { entry: 1 },
      ],
    });
    expect(await roundTrip(root, "s1")).toEqual(UNHARMED);
  });

  it("marks rewound messages, or leaves them out with a count", async () => {
    const root = lines(header, user("u1", "hi"), reply("g1", "one"), user("u2", "no"), {
      $rewindTo: "u2",
    });
    const { session } = await recordOf(root);
    expect(session.entries.map((entry) => entry["x-standing"])).toEqual([
      undefined,
      undefined,
      "rewound",
    ]);
    expect(session.entries[2]?.["x-standing-reason"]).toBe("rewind");
    expect(await roundTrip(root, "s1")).toEqual(UNHARMED);
    const live = await recordOf(root, { standing: "live" });
    expect(live.session.entries).toHaveLength(2);
    expect(live.session["x-left-out"]).toEqual({ rewound: 1 });
    expect(live.session["x-native"]).toBeUndefined();
    expect(live.id).not.toBe((await recordOf(root)).id);
    await expect(restored(await recordBytes(root, "s1", { standing: "live" }))).rejects.toThrow(
      "cannot be restored from this record",
    );
  });

  it("marks copies of messages, and names the original", async () => {
    const file = fileOf("append-jsonl", "masking-copies");
    const { session } = await recordOf(rootWith("session-2026-01-01T00-00-0.jsonl", file));
    const copies = session.entries.filter((entry) => entry["x-copy-of"] !== undefined);
    expect(copies.length).toBeGreaterThan(0);
    const ids = new Set(session.entries.map(({ id }) => id));
    for (const copy of copies) {
      expect(copy["x-standing"]).toBe("rewritten");
      expect(ids.has(copy["x-copy-of"])).toBe(true);
    }
  });

  it("keeps the whole output if a later copy is truncated", async () => {
    const call = (output: string) => {
      const response = { functionResponse: { id: "c", name: "read_file", response: { output } } };
      const args = { file_path: "a" };
      return { id: "c", name: "read_file", args, result: [response], status: "success" };
    };
    const masked = "<tool_output_masked>\nbegin\n</tool_output_masked>";
    const root = lines(
      header,
      user("u1", "hi"),
      reply("g1", "", { toolCalls: [call("all of it")] }),
      reply("g1", "", { toolCalls: [call(masked)] }),
    );
    const text = JSON.stringify((await recordOf(root)).session.entries[1]);
    expect(text).toContain("all of it");
    expect(text).not.toContain("masked");
    expect(await roundTrip(root, "s1")).toEqual(UNHARMED);
  });
});

describe("content that cannot be signed as it is", () => {
  it.each([
    ["a lone surrogate", String.raw`{"id":"u1","type":"user","content":"a\ud83d b"}`],
    ["a duplicate key", '{"id":"u1","type":"user","content":"a","content":"b"}'],
    ["a number out of range", '{"id":"u1","type":"user","content":"a","n":1e400}'],
    ["a line that is not JSON", '{"id":"u1","type":"us'],
    [
      "a torn line followed by a whole one",
      '{"id":"u0","ty{"id":"u1","type":"user","content":"b"}',
    ],
  ])("%s is kept as text, and read as the program would", async (_, line) => {
    const text = `${JSON.stringify(header)}\n${line}\n${JSON.stringify(user("u2", "hi"))}\n`;
    const root = rootWith("session-2026-01-01T00-00-5e551001.jsonl", text);
    const record = await recordBytes(root, "s1");
    expect(schema.checkRecord(asFile(record))).toBeUndefined();
    const acts = [...asFile(record).elements("session/x-native/acts")];
    expect(acts).toContainEqual({ text: line });
    expect(await roundTrip(root, "s1")).toEqual(UNHARMED);
  });

  it.each([890, 5000, 200_000])("values nested %i deep are restored", async (depth) => {
    const deep = `${"[".repeat(depth)}${"]".repeat(depth)}`;
    const line = `{"id":"u1","type":"user","content":"a","n":${deep}}`;
    const root = rootWith(
      "session-2026-01-01T00-00-5e551001.jsonl",
      `${JSON.stringify(header)}\n${line}\n`,
    );
    const record = await recordBytes(root, "s1");
    expect(schema.checkRecord(asFile(record))).toBeUndefined();
    const [file] = await restored(record);
    expect(file && bytesOf(file).toString("utf8")).toContain(deep);
  });

  it("bytes that are not UTF-8 are kept as bytes", async () => {
    const line = Buffer.concat([
      Buffer.from('{"id":"u1","type":"user","content":"'),
      Buffer.of(0xff),
      Buffer.from('"}\n'),
    ]);
    const text = Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), line]);
    const root = rootWith("session-2026-01-01T00-00-5e551001.jsonl", text);
    const [file] = await restored(await recordBytes(root, "s1"));
    expect(file && bytesOf(file).includes(line)).toBe(true);
    const { session } = await recordOf(root);
    expect(session.entries[0]).toMatchObject({ id: "u1", content: "\ufffd" });
  });

  it("a truncated document is kept byte by byte", async () => {
    const whole = JSON.stringify(
      { ...header, messages: [user("u1", "hi"), user("u2", "ho")] },
      null,
      2,
    );
    const cut = whole.slice(0, -30);
    const root = rootWith("session-2026-01-01T00-00-5e551001.json", cut);
    const [file] = await restored(await recordBytes(root, "s1"));
    expect(file && bytesOf(file).toString("utf8")).toBe(cut);
    const { session } = await recordOf(root);
    expect(session.entries).toMatchObject([{ id: "u1" }]);
  });

  it("numbers keep their form: 1.0 is not 1, and no digit is lost", async () => {
    const numbers = '{"a":1.0,"b":9007199254740993,"c":1e-7,"d":-0,"e":100000000000000000000000}';
    const line = `{"id":"u1","type":"user","content":"x","n":${numbers}}`;
    const text = `${JSON.stringify(header)}\n${line}\n`;
    const root = rootWith("session-2026-01-01T00-00-5e551001.jsonl", text);
    const record = (await recordBytes(root, "s1")).toString("utf8");
    expect(record).toContain(
      '"n":{"a":1.0,"b":9007199254740993,"c":1e-07,"d":0,"e":100000000000000000000000}',
    );
    const [file] = await restored(Buffer.from(record));
    expect(file && bytesOf(file).toString("utf8")).toContain('"b":9007199254740993');
  });
});

describe("the frame of a record", () => {
  const root = document({
    ...header,
    messages: [user("u1", "hi"), reply("g1", "a"), reply("g2", "b", { model: "other" })],
  });

  it("contains the session, its times, its models and the recorder", async () => {
    const record = await recordOf(root, { cliVersion: "0.61.0", workingDir: "/home/ada/ledger" });
    expect(record).toMatchObject({
      version: "3.0.0-draft",
      created: AT,
      "recording-agent": { name: "pollux", "x-profile": "lossless" },
      session: {
        format: "interactive",
        "session-id": "s1",
        "session-start": AT,
        "session-end": AT,
        "agent-meta": {
          "model-id": "other",
          "model-provider": "google",
          models: ["gemini-3-pro", "other"],
          "cli-name": "gemini-cli",
          "cli-version": "0.61.0",
        },
        environment: { "working-dir": "/home/ada/ledger" },
      },
    });
    expect(record.id).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
  });

  it("is deterministic, and its id changes with the file", async () => {
    const first = await recordBytes(root, "s1");
    expect((await recordBytes(root, "s1")).equals(first)).toBe(true);
    const other = document({ ...header, messages: [user("u1", "ho")] });
    expect((await recordOf(other)).id).not.toBe((await recordOf(root)).id);
  });

  it("can have a given creation date", async () => {
    const createdAt = "2026-11-15T12:00:00.000Z";
    expect((await recordOf(root, { createdAt }))["created"]).toBe(createdAt);
  });

  it("of other profiles has no members of ours", async () => {
    const reference = await recordOf(root, { profile: "reference" });
    expect(reference.id).toBe("s1");
    expect(JSON.stringify(reference)).not.toContain('"x-');
    expect(reference.session["session-end"]).toBeUndefined();
    expect(reference.session["agent-meta"]).toMatchObject({ "model-provider": "unknown" });
    const seed = await recordOf(root, { profile: "seed" });
    expect(seed["recording-agent"]).toMatchObject({ "x-profile": "seed" });
    expect(seed.session["session-end"]).toBeUndefined();
  });

  it(`has format "autonomous" for a subagent's session`, async () => {
    const agent = lines({ ...header, kind: "subagent" }, user("u1", "do it"));
    const { sessions } = await open({ roots: [agent] }).sessions();
    const record = await recordOf(agent, {}, sessions[0]?.id);
    expect(record.session["format"]).toBe("autonomous");
  });
});

it("a file that grows while it is read gives a complete record of its beginning", async () => {
  const root = lines(header, user("u1", "hi"));
  const path = join(root, "tmp", "ledger", "chats", "session-2026-01-01T00-00-5e551001.jsonl");
  const record = await open({ roots: [root] }).record("s1");
  writeFileSync(path, `${JSON.stringify(user("u2", "later"))}\n`, { flag: "a" });
  const bytes = Buffer.concat([...record.chunks()]);
  expect(schema.checkRecord(asFile(bytes))).toBeUndefined();
  const [file] = await restored(bytes);
  expect(valuesOf(file ? bytesOf(file).toString("utf8") : "")).toEqual([header, user("u1", "hi")]);
});

it("file names in a record cannot lead into another folder", async () => {
  const text = (await recordBytes(lines(header, user("u1", "hi")), "s1")).toString("utf8");
  const names = ["../../etc/passwd", "a/b.jsonl", "C:\\x\\y.json", "..", "", ".ssh", "a\u0000b"];
  for (const name of names) {
    const changed = text.replace(
      '"name":"session-2026-01-01T00-00-5e551001.jsonl"',
      `"name":${JSON.stringify(name)}`,
    );
    const [file] = await restored(Buffer.from(changed));
    expect(file?.name).toMatch(/^[^./\\\u0000][^/\\\u0000]*$/);
  }
});

it("invalid acts are refused", async () => {
  const text = (await recordBytes(lines(header, user("u1", "hi")), "s1")).toString("utf8");
  for (const act of ['{"entry":7}', '{"unread":5}', '{"entry":0,"edits":[{"op":"set"}]}', "5"]) {
    const [file] = await restored(Buffer.from(text.replace('{"entry":0}', act)));
    expect(() => file && bytesOf(file)).toThrow("is not valid");
  }
});

it("a record from the archive is the same, even after the file is gone", async () => {
  const root = lines(header, user("u1", "hi"), reply("g1", "yes"), { $rewindTo: "g1" });
  const path = join(root, "tmp", "ledger", "chats", "session-2026-01-01T00-00-5e551001.jsonl");
  const archive = join(root, "..", "kept", "archive.db");
  const made = async (): Promise<Buffer> => {
    const library = open({ roots: [root], archive });
    await library.keep(0);
    return Buffer.concat([...(await library.record("s1")).chunks()]);
  };
  const before = await made();
  expect(before.equals(await recordBytes(root, "s1"))).toBe(true);
  rmSync(path);
  expect((await made()).equals(before)).toBe(true);
});
