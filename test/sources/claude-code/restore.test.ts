import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Session } from "../../../src/core/session/session.ts";
import { memoryBytes } from "../../../src/kernel/bytes.ts";
import { claudeCode } from "../../../src/sources/claude-code/index.ts";
import type { Restoration, RestoreRequest } from "../../../src/sources/source.ts";
import { committedTrees } from "../../corpora/trees.ts";
import { readTree } from "../../corpora/read-tree.ts";
import { answer, ID, mainFile, prompt, readFiles, textBlock } from "./read-files.ts";

const OTHER = "22222222-2222-4222-8222-222222222222";

function plan(session: Session, more: Partial<RestoreRequest> = {}): Restoration {
  const { restore } = claudeCode.abilities;
  if (!restore) throw new Error("It can be restored.");
  const planned = restore.plan(session, {
    root: "/new/.claude",
    id: session.id,
    projectPath: session.project.path ?? "/unknown",
    open: (path) => memoryBytes(path, readFileSync(path)),
    companions: [],
    platform: "linux",
    nowMs: 0,
    ...more,
  });
  if (!planned) throw new Error("It has nothing to resume.");
  return planned;
}

describe("sessions of the corpus", () => {
  const sessions = committedTrees("claude-code").flatMap((tree) =>
    readTree(claudeCode, tree).sessions.filter(
      ({ kind, files }) => kind === "main" && files.length === 1,
    ),
  );

  test("are restored byte by byte, under the name that the program looks for", () => {
    expect(sessions.length).toBeGreaterThan(10);
    for (const session of sessions) {
      const [file] = session.files;
      if (!file || session.messages.every(({ standing }) => standing !== "live")) continue;
      const restored = plan(session);
      const place = file.path.slice(file.root.length);
      expect(restored.file.path).toBe(`/new/.claude${place}`);
      expect(Buffer.from(restored.file.text).equals(readFileSync(file.path))).toBe(true);
      expect(restored.command).toEqual(["claude", "--resume", session.id]);
      expect(restored.isFoundAt(restored.file.path)).toBe(true);
    }
  });

  test("are restored with their agents, outputs and todo lists", () => {
    const [session] = sessions;
    if (!session) throw new Error("no session");
    const companion = (below: string, role: "subagent" | "spill" | "companion") => {
      const path = `/old/.claude/${below}`;
      const facts = { root: "/old/.claude", folder: "", sizeBytes: 0, modifiedMs: 0 };
      return { path, role, ...facts, isCleaned: true };
    };
    const { companions } = plan(session, {
      projectPath: "/elsewhere",
      companions: [
        companion(`projects/-old/${ID}/subagents/agent-1.jsonl`, "subagent"),
        companion(`projects/-old/${ID}/tool-results/x.txt`, "spill"),
        companion(`todos/${ID}.json`, "companion"),
      ],
    });
    expect(companions.map(({ path }) => path)).toEqual([
      `/new/.claude/projects/-elsewhere/${ID}/subagents/agent-1.jsonl`,
      `/new/.claude/projects/-elsewhere/${ID}/tool-results/x.txt`,
      `/new/.claude/todos/${ID}.json`,
    ]);
  });
});

describe("made-up sessions", () => {
  const made = [
    mainFile([
      prompt(`{"sessionId":"${ID}"}`, { uuid: "a", timestamp: "2026-11-15T10:00:00.000Z" }),
      answer("msg_1", [textBlock("hi")], {
        uuid: "b",
        parentUuid: "a",
        timestamp: "2026-11-15T10:00:01.000Z",
      }),
    ]),
    mainFile(
      [prompt("two", { uuid: "c", parentUuid: "b", timestamp: "2026-11-15T11:00:00.000Z" })],
      `${OTHER}.jsonl`,
    ),
  ];
  const open = (path: string): ReturnType<typeof memoryBytes> => {
    const found = made.find(({ name }) => path.endsWith(name));
    return memoryBytes(path, found?.bytes ?? new Uint8Array());
  };
  const [session] = readFiles(made).sessions;
  if (!session) throw new Error("no session");

  test("that continue in a second file resume from it, and both files are restored", () => {
    const { file, claims, command } = plan(session, { open });
    const folder = "/new/.claude/projects/-home-ada-ledger";
    const texts = made.map(({ bytes }) => Buffer.from(bytes).toString());
    expect(file).toEqual({ path: `${folder}/${OTHER}.jsonl`, text: texts[1] });
    expect(claims).toEqual([{ path: `${folder}/${ID}.jsonl`, text: texts[0] }]);
    expect(command).toEqual(["claude", "--resume", OTHER]);
  });

  test("under another id have it in their records, and the text does not change", () => {
    const { file } = plan(session, { open, id: OTHER });
    const records = file.text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(new Set(records.map((record) => record["sessionId"]))).toEqual(new Set([OTHER]));
    expect(records[0]?.["message"]).toMatchObject({ content: `{"sessionId":"${ID}"}` });
  });

  test("for another directory name it, but not in texts and calls", () => {
    const [from, to] = ["/home/ada/ledger", "/home/ada/books"];
    const call = { type: "tool_use", id: "t1", name: "Run", input: { cwd: from } };
    const steps = [`${from}/src`, `${from}s`, undefined].map((cwd, at) => {
      const facts = { uuid: `u${at}`, timestamp: "2026-11-15T10:00:02.000Z" };
      return cwd === undefined ? prompt("no", facts) : prompt(from, { ...facts, cwd });
    });
    const file = mainFile([prompt("one", { uuid: "a", cwd: from }), ...steps, answer("m", [call])]);
    const [before] = readFiles([file]).sessions;
    if (!before) throw new Error("no session");
    const planned = plan(before, {
      open: (path) => memoryBytes(path, file.bytes),
      projectPath: to,
    });
    expect(planned.file.path).toBe(`/new/.claude/projects/-home-ada-books/${ID}.jsonl`);
    const [was, is] = [Buffer.from(file.bytes).toString(), planned.file.text].map((text) =>
      text
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as Record<string, unknown>),
    );
    const moves = new Map<unknown, string>([
      [from, to],
      [`${from}/src`, `${to}/src`],
    ]);
    expect(is).toEqual(
      was?.map((record) => {
        const cwd = moves.get(record["cwd"]);
        return cwd === undefined ? record : { ...record, cwd };
      }),
    );
    expect(is).not.toEqual(was);
  });

  test("with bytes that are not text are restored unchanged", () => {
    const bytes = Buffer.concat([Buffer.from(made[0]?.bytes ?? []), Buffer.from([0xff, 0xfe, 10])]);
    const { file } = plan(
      { ...session, files: session.files.slice(0, 1) },
      {
        open: (path) => memoryBytes(path, bytes),
      },
    );
    expect(file.bytes).toEqual(bytes);
  });

  test("that the program would not accept are refused", () => {
    const ids = claudeCode.abilities.restore?.ids;
    expect(["mine", OTHER].map((id) => ids?.test(id))).toEqual([false, true]);
    expect(() => plan({ ...session, messages: [] }, { open })).toThrow(/nothing to resume/);
  });
});
