import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { fileBytes } from "../../../src/kernel/bytes.ts";
import { readHome } from "../../samples/read-home.ts";
import { qwenCode } from "../../../src/sources/qwen-code/index.ts";
import type { Environment, RestoreRequest } from "../../../src/sources/source.ts";
import { madeHome } from "../made-home.ts";
import { Chain, homeOf, OTHER, PROJECT, readMade, SESSION } from "./records.ts";

const CHAT = new Chain()
  .user("Hi")
  .request(1)
  .assistant([{ text: "Hello" }], 1)
  .toString();

function rootsIn(homeDir: string, more: Partial<Environment> = {}): string[] {
  const environment = { env: {}, homeDir, tempDir: "/nowhere", requestedRoots: [], ...more };
  return qwenCode.roots({ platform: "linux", ...environment }).map(({ path, because, isFound }) => {
    return `${path.replace(`${homeDir}/`, "")} (${because})${isFound ? "" : " not there"}`;
  });
}

describe("roots", () => {
  test("are the home folder, even if it does not exist", () => {
    expect(rootsIn(madeHome())).toEqual([".qwen (the home folder) not there"]);
  });

  test("are all folders named by variables and settings", () => {
    const settings = '{ // where to\n "advanced": {"runtimeOutputDir": "~/out"} }';
    const home = madeHome({ ".qwen/settings.json": settings });
    for (const name of ["run", "moved", "out"]) mkdirSync(join(home, name));
    const env = { QWEN_RUNTIME_DIR: join(home, "run"), QWEN_HOME: join(home, "moved") };
    expect(rootsIn(home, { env })).toEqual([
      "run (QWEN_RUNTIME_DIR)",
      "out (advanced.runtimeOutputDir of the settings)",
      "moved (QWEN_HOME)",
      ".qwen (the home folder)",
    ]);
  });

  test("in a given folder are recognised by their content", () => {
    const chat = (type: string): string => JSON.stringify({ messages: [{ type, content: "x" }] });
    const hash = "a".repeat(64);
    const home = madeHome({
      [`tree/.qwen/projects/-p/chats/${SESSION}.jsonl`]: CHAT,
      [`tree/run/projects/-p/chats/${SESSION}.jsonl`]: CHAT,
      "tree/totals/usage_record.jsonl": "",
      [`tree/old/tmp/${hash}/chats/session-1.json`]: chat("qwen"),
      [`tree/gemini/tmp/${hash}/chats/session-1.json`]: chat("gemini"),
      [`tree/claude/projects/-p/${SESSION}.jsonl`]: CHAT,
      "tree/other/tmp/x.txt": "x",
    });
    expect(rootsIn(home, { requestedRoots: [join(home, "tree")] })).toEqual([
      "tree/.qwen (--root)",
      "tree/old (--root)",
      "tree/run (--root)",
      "tree/totals (--root)",
    ]);
    expect(
      rootsIn(home, { requestedRoots: [join(home, "tree/gemini"), join(home, "gone")] }),
    ).toEqual([]);
  });
});

describe("the files of a home", () => {
  test("have roles, and secrets are not among them", () => {
    const path = homeOf({
      [`chats/${SESSION}.jsonl`]: CHAT,
      [`chats/archive/${OTHER}.jsonl`]: CHAT,
      [`chats/${SESSION}.runtime.json`]: {},
      [`chats/${SESSION}.ledger.jsonl`]: "{}",
      [`subagents/${SESSION}/agent-a-c1.jsonl`]: CHAT,
      [`subagents/${SESSION}/agent-a-c1.jsonl.stream`]: '{"v":1,"round":2,"text":"This never en"}',
      [`subagents/${SESSION}/agent-a-c1.meta.json`]: {},
      "usage_record.jsonl": "",
      "settings.json": {},
      "oauth_creds.json": { secret: true },
      "tmp/abc/logs.json": [],
      "tmp/abc/checkpoint-a%20b.json": [],
      "tmp/abc/chats/session-2026-05-04T10-00-11111111.json": {},
      "tmp/abc/shell_history": "ls",
    });
    const { files } = qwenCode.find({ path, because: "a test", isFound: true }, () => undefined);
    const actual = files.map((file) => {
      const name = file.path.replace(/^.*\/\.qwen\//, "").replace("projects/-home-ada-", "");
      return `${file.role} ${name}${file.isCleaned ? " (cleaned)" : ""}`;
    });
    const p = "projects-ledger";
    expect(actual).toEqual([
      `main ${p}/chats/${SESSION}.jsonl`,
      `companion ${p}/chats/${SESSION}.ledger.jsonl`,
      `companion ${p}/chats/${SESSION}.runtime.json`,
      `main ${p}/chats/archive/${OTHER}.jsonl`,
      `subagent ${p}/subagents/${SESSION}/agent-a-c1.jsonl (cleaned)`,
      `companion ${p}/subagents/${SESSION}/agent-a-c1.jsonl.stream (cleaned)`,
      `companion ${p}/subagents/${SESSION}/agent-a-c1.meta.json (cleaned)`,
      "main tmp/abc/chats/session-2026-05-04T10-00-11111111.json",
      "saved-chat tmp/abc/checkpoint-a%20b.json",
      "prompt-log tmp/abc/logs.json",
      "totals usage_record.jsonl",
    ]);
  });

  test("of agents are deleted after a time, sessions are not", () => {
    const { retention } = qwenCode.abilities;
    const root = (settings?: object): string =>
      homeOf(settings ? { "settings.json": settings } : {});
    const daysOf = (path: string): unknown => {
      return retention?.settings({ path, because: "a test", isFound: true }).maxAgeDays;
    };
    expect(daysOf(root())).toBe(30);
    expect(daysOf(root({ general: { cleanupPeriodDays: 7 } }))).toBe(7);
    expect(retention?.cleanUpName(`/p/subagents/${SESSION}/agent-a.jsonl`)).toEqual({
      together: SESSION,
    });
    expect(retention?.cleanUpName(`/p/chats/${SESSION}.jsonl`)).toBeUndefined();
  });
});

describe("sessions of old versions", () => {
  const id = "99999999-2222-4333-8444-555555555555";
  const hash = "7".repeat(64);
  const document = (messages: object[], minute: number): object => ({
    sessionId: id,
    projectHash: hash,
    startTime: `2026-05-04T10:0${minute}:00.000Z`,
    lastUpdated: `2026-05-04T10:0${minute}:30.000Z`,
    messages,
  });
  const PROMPT = [
    "Hi",
    "--- Content from referenced files ---",
    "Content from @a.md:",
    "x",
    "--- End of content ---",
  ].join("\n");
  const tokens = { input: 100, output: 20, cached: 5, thoughts: 0, tool: 0, total: 120 };

  test("have results with text among the prompts", () => {
    const result = "[Function Response: read_many_files]--- /p/a.md ---\n\nx";
    const { sessions } = readMade({
      [`tmp/${hash}/chats/session-a.json`]: document(
        [{ id: "u1", type: "user", content: result }],
        1,
      ),
    });
    expect(sessions[0]?.messages).toMatchObject([
      { isPrompt: false, injections: [{ kind: "tool-response", text: result }] },
    ]);
  });

  test("are documents; those with one id are one session", () => {
    const { sessions, diagnostics } = readMade({
      [`tmp/${hash}/chats/session-b.json`]: document(
        [{ id: "u2", type: "user", content: "On?" }],
        5,
      ),
      [`tmp/${hash}/chats/session-a.json`]: document(
        [
          {
            id: "u1",
            type: "user",
            content: PROMPT,
          },
          { id: "q1", type: "qwen", content: "Hello", tokens, model: "qwen3-coder-plus" },
        ],
        1,
      ),
    });
    expect(diagnostics).toEqual([]);
    expect(sessions).toHaveLength(1);
    const [session] = sessions;
    expect(session?.messages.map(({ id: own, typed, text }) => [own, typed ?? text])).toEqual([
      ["u1", "Hi"],
      ["q1", "Hello"],
      ["u2", "On?"],
    ]);
    // Their thoughts are always 0 and inside the output: they were not counted.
    const [reply] = session?.replies ?? [];
    expect(reply?.counts).toMatchObject({ output: 20, total: 120 });
    expect(reply?.counts).not.toHaveProperty("thoughts");
    expect(session?.messages[0]?.references).toEqual([{ path: "a.md", content: "x" }]);
    expect(session?.replies[0]?.counts).toMatchObject({ input: 100, output: 20, total: 120 });
    expect(session?.files.map(({ part, generation }) => `${part} ${generation}`)).toEqual([
      "whole 0.1–0.3",
      "continuation 0.1–0.3",
    ]);
  });

  test("belong to the directory of a newer folder if its hash matches", () => {
    const path = "/home/ada/my-app";
    const own = createHash("sha256").update(path).digest("hex");
    const old = { sessionId: id, messages: [{ id: "u1", type: "user", content: "Hi" }] };
    const { sessions } = readMade({
      [`tmp/${own}/chats/session-a.json`]: old,
      [`projects/-home-ada-my-app/chats/${SESSION}.jsonl`]: CHAT,
    });
    expect(sessions.find((session) => session.id === id)?.project.path).toBe(path);
  });

  test("saved by hand are read as a saved chat", () => {
    const path = homeOf({
      "tmp/abc/checkpoint-my%20tag.json": [
        { role: "user", parts: [{ text: "Hi" }] },
        { role: "model", parts: [{ text: "Hello" }] },
      ],
    });
    const { files } = qwenCode.find({ path, because: "a test", isFound: true }, () => undefined);
    const [file] = files;
    const chat =
      file && qwenCode.abilities.savedChats?.read(file, fileBytes(file.path), () => undefined);
    expect([chat?.tag, chat?.messages.map(({ text }) => text)]).toEqual([
      "my tag",
      ["Hi", "Hello"],
    ]);
  });

  test("have prompts in the log", () => {
    const entry = { sessionId: id, messageId: 0, type: "user", message: "/tools", timestamp: "x" };
    const path = homeOf({ "tmp/abc/logs.json": [entry] });
    const { files } = qwenCode.find({ path, because: "a test", isFound: true }, () => undefined);
    const [file] = files;
    const logs =
      file && qwenCode.abilities.promptLog?.read(file, fileBytes(file.path), () => undefined);
    expect(
      logs?.map(({ sessionId, prompts }) => [sessionId, prompts.map(({ text }) => text)]),
    ).toEqual([[id, ["/tools"]]]);
  });
});

describe("a restored session", () => {
  const path = (): string => homeOf({ [`chats/${SESSION}.jsonl`]: CHAT });
  const plan = (root: string, more: Partial<RestoreRequest> = {}) => {
    const place = { path: root, because: "a test", isFound: true };
    const [session] = readHome(qwenCode, place, "full").sessions;
    if (!session) return undefined;
    const request: RestoreRequest = {
      root: "/restored",
      id: session.id,
      projectPath: session.project.path ?? "/unknown",
      open: fileBytes,
      companions: [],
      platform: "linux",
      nowMs: 0,
      ...more,
    };
    return qwenCode.abilities.restore?.plan(session, request);
  };

  test("has the recorded bytes at the path where the program looks", () => {
    const planned = plan(path());
    expect(planned?.file).toEqual({
      path: `/restored/projects/-home-ada-projects-ledger/chats/${SESSION}.jsonl`,
      text: CHAT,
    });
    expect(planned?.command).toEqual(["qwen", "--resume", SESSION]);
    expect(planned?.isFoundAt(`/restored/projects/-x/chats/${SESSION}.jsonl`)).toBe(false);
  });

  test("keeps bytes that are not text", () => {
    const odd = Buffer.concat([Buffer.from(CHAT), Buffer.from([0xff, 0xfe, 0x0a])]);
    const root = path();
    const file = `${root}/projects/-home-ada-projects-ledger/chats/${SESSION}.jsonl`;
    writeFileSync(file, odd);
    expect(plan(root)?.file.bytes).toEqual(odd);
  });

  test("has another id or directory in every record", () => {
    const planned = plan(path(), { id: OTHER, projectPath: "/home/ada/elsewhere" });
    expect(planned?.file.path).toBe(`/restored/projects/-home-ada-elsewhere/chats/${OTHER}.jsonl`);
    const records = (planned?.file.text ?? "").trimEnd().split("\n");
    for (const line of records) {
      expect(JSON.parse(line)).toMatchObject({ sessionId: OTHER, cwd: "/home/ada/elsewhere" });
    }
    expect(records).toHaveLength(3);
  });

  test("is the same session when read again", () => {
    const planned = plan(path());
    const root = madeHome();
    const file = join(root, (planned?.file.path ?? "").replace("/restored/", ".qwen/"));
    mkdirSync(join(file, ".."), { recursive: true });
    writeFileSync(file, planned?.file.text ?? "");
    expect(readFileSync(file, "utf8")).toBe(CHAT);
    const where = { path: join(root, ".qwen"), because: "a test", isFound: true };
    const [session] = readHome(qwenCode, where, "full").sessions;
    expect([session?.id, session?.project.path]).toEqual([SESSION, PROJECT]);
  });

  test("is refused if the program could not resume it", () => {
    const hash = "7".repeat(64);
    const messages = [{ id: "u1", type: "user", content: "Hi" }];
    const old = homeOf({ [`tmp/${hash}/chats/session-a.json`]: { sessionId: SESSION, messages } });
    expect(() => plan(old)).toThrow("cannot resume");
  });
});
