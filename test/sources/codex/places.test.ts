import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import type { Session } from "../../../src/core/session/session.ts";
import { readHome } from "../../samples/read-home.ts";
import { fileBytes } from "../../../src/kernel/bytes.ts";
import { codex } from "../../../src/sources/codex/index.ts";
import type { Environment, Restoration } from "../../../src/sources/source.ts";
import { committedTrees } from "../../corpora/trees.ts";

const base = mkdtempSync(join(tmpdir(), "pollux-codex-"));
afterAll(() => rmSync(base, { recursive: true, force: true }));

function folder(name: string, files: Record<string, string> = {}): string {
  const path = join(base, name);
  mkdirSync(path, { recursive: true });
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(path, file)), { recursive: true });
    writeFileSync(join(path, file), text);
  }
  return path;
}

const ID = "01a1e100-7dce-7242-b27a-31c67107c4f6";
const ROLLOUT = `rollout-2026-11-15T20-57-48-${ID}.jsonl`;

describe("roots", () => {
  const environment: Environment = {
    env: {},
    homeDir: folder("ada"),
    tempDir: folder("tmp"),
    platform: "linux",
    requestedRoots: [],
  };

  test("are the home folder, or CODEX_HOME itself", () => {
    const other = folder("work-home");
    const usual = join(environment.homeDir, ".codex");
    expect(codex.roots(environment)).toEqual([
      { path: usual, because: "the home folder", isFound: false },
    ]);
    const roots = codex.roots({ ...environment, env: { CODEX_HOME: other } });
    expect(roots).toEqual([{ path: other, because: "CODEX_HOME", isFound: true }]);
    const env = { CODEX_HOME: `${other},${usual}` };
    expect(codex.roots({ ...environment, env })).toMatchObject([{ path: other }, { path: usual }]);
    const xcode = "Library/Developer/Xcode/CodingAssistant/codex";
    const homeDir = folder("mac", { [`${xcode}/sessions/2026/11/15/${ROLLOUT}`]: "" });
    expect(codex.roots({ ...environment, homeDir })).toMatchObject([
      { isFound: false },
      { path: join(homeDir, xcode), because: "Xcode", isFound: true },
    ]);
  });

  test("in a given folder are recognised by their content", () => {
    const asked = folder("backup", {
      [`machine/one/.codex/sessions/2026/11/15/${ROLLOUT}`]: "",
      [`machine/two/codex-work/sessions/2026/11/15/${ROLLOUT}`]: "",
      [`three/kept/archived_sessions/${ROLLOUT}`]: "",
      "gemini/.gemini/tmp/p/chats/session-2026-11-15T20-57-aaaaaaaa.json": "{}",
      "claude/.claude/projects/p/x.jsonl": "{}",
      "other/sessions/notes.txt": "",
    });
    const found = codex.roots({ ...environment, requestedRoots: [asked] }).map(({ path }) => path);
    expect(found).toEqual([
      join(asked, "machine/one/.codex"),
      join(asked, "machine/two/codex-work"),
      join(asked, "three/kept"),
    ]);
    const elsewhere = ["gemini/.gemini", "claude/.claude", "other"].map((name) =>
      join(asked, name),
    );
    expect(codex.roots({ ...environment, requestedRoots: elsewhere })).toEqual([]);
  });
});

describe("files", () => {
  test("are rollouts of every version and the logs, but no credentials or databases", () => {
    const root = folder("home", {
      [`sessions/2026/11/15/${ROLLOUT}`]: "",
      [`sessions/2026/11/15/${ROLLOUT}.zst`]: "",
      "sessions/rollout-2025-05-01-cc277c91-afad-4422-a68e-04bf16f20809.json": "",
      [`archived_sessions/${ROLLOUT}`]: "",
      [`sessions/2026/11/15/${ROLLOUT}.tmp`]: "",
      "sessions/2026/notes.txt": "",
      "history.jsonl": "",
      "session_index.jsonl": "",
      "auth.json": "",
      "config.toml": "",
      "state_5.sqlite": "",
      installation_id: "",
    });
    const diagnostics: string[] = [];
    const found = codex.find({ path: root, because: "test", isFound: true }, ({ file, code }) => {
      diagnostics.push(`${code} ${file.slice(root.length + 1)}`);
    });
    expect(found.files.map(({ path, role }) => `${role} ${path.slice(root.length + 1)}`)).toEqual([
      `main archived_sessions/${ROLLOUT}`,
      "prompt-log history.jsonl",
      "evidence session_index.jsonl",
      `main sessions/2026/11/15/${ROLLOUT}`,
      `main sessions/2026/11/15/${ROLLOUT}.zst`,
      "main sessions/rollout-2025-05-01-cc277c91-afad-4422-a68e-04bf16f20809.json",
    ]);
    expect(diagnostics).toEqual(["odd-name sessions/2026/notes.txt"]);
  });

  test("that are copies of a rollout make one session, counted once", () => {
    const tree = treeNamed("0.166.0/zst");
    const before = sessionsIn(tree);
    const root = folder("copies");
    cpSync(tree, root, { recursive: true });
    const path = before[0]?.files[0]?.path ?? "";
    const name = path.split("/").at(-1) ?? "";
    mkdirSync(join(root, "archived_sessions"));
    cpSync(path, join(root, "archived_sessions", name));
    const after = sessionsIn(root);
    expect(after.map(({ id, replies }) => [id, replies.length])).toEqual(
      before.map(({ id, replies }) => [id, replies.length]),
    );
    const parts = after.flatMap(({ files }) => files.map(({ part }) => part));
    expect(parts.toSorted()).toEqual(["copy", "whole", "whole"]);
  });

  test("places in a compressed file refer to its decompressed text", () => {
    const root = treeNamed("0.166.0/zst");
    const home = readHome(codex, { path: root, because: "test", isFound: true }, "full");
    const packed = home.files.find(({ file }) => file.path.endsWith(".zst"))?.file;
    const session = home.sessions.find(({ files }) => files[0]?.path === packed?.path);
    const prompt = session?.messages.find(({ isPrompt }) => isPrompt);
    if (!packed || !prompt) throw new Error("The committed corpus has a packed session.");
    const text = codex.unpacked?.(packed, fileBytes(packed.path));
    const record = text?.range(prompt.place.start, prompt.place.end).toString("utf8") ?? "";
    expect(JSON.stringify(JSON.parse(record))).toContain(prompt.typed);
  });

  test("prompt logs have a session and seconds; the oldest have no session", () => {
    const log = `{"session_id":"${ID}","ts":1794776908,"text":"A prompt."}\n{"ts":1}\n`;
    const root = folder("logs", {
      "history.jsonl": log,
      "history.json": '[{"command":"First.","timestamp":1794777605454}]',
    });
    const codes: string[] = [];
    const files = codex.find({ path: root, because: "test", isFound: true }, () => undefined).files;
    const logs = files.flatMap((file) => {
      return (
        codex.abilities.promptLog?.read(file, fileBytes(file.path), ({ code }) =>
          codes.push(code),
        ) ?? []
      );
    });
    expect(
      logs.map(({ sessionId, prompts }) => [sessionId, prompts[0]?.text, prompts[0]?.at]),
    ).toEqual([
      ["history.json", "First.", "2026-11-15T21:20:05.454Z"],
      [ID, "A prompt.", "2026-11-15T21:08:28.000Z"],
    ]);
    expect(codes).toEqual(["bad-element"]);
  });
});

function treeNamed(name: string): string {
  const root = committedTrees("codex").find((tree) => tree.name === name)?.roots[0];
  if (root === undefined) throw new Error(`The committed corpus has no ${name}.`);
  return root;
}

function sessionsIn(path: string): Session[] {
  return readHome(codex, { path, because: "test", isFound: true }, "full").sessions;
}

function planOf(session: Session, request: { root: string; id?: string }): Restoration {
  const plan = codex.abilities.restore?.plan(session, {
    id: session.id,
    projectPath: session.project.path ?? "/unknown",
    ...request,
    open: (file) => {
      if (!session.files.some(({ path }) => path === file)) throw new RangeError(file);
      return fileBytes(file);
    },
    companions: [],
    platform: "linux",
    nowMs: 0,
  });
  if (!plan) throw new Error("Sessions of Codex can be restored.");
  return plan;
}

describe("restoring", () => {
  const trees = committedTrees("codex").filter(({ version }) => Number(version.split(".")[1]) > 31);

  test.each(trees)("$name: every file is restored byte by byte", (tree) => {
    for (const root of tree.roots) {
      for (const session of sessionsIn(root)) {
        // The base of a fork must be restored separately.
        const target = folder(`restored/${tree.name}`);
        const taken = session.messages.find(({ isInherited, place }) => {
          return isInherited === true && !session.files.some(({ path }) => path === place.file);
        });
        if (taken) {
          const empty = folder(`empty/${tree.name}`);
          expect(() => planOf(session, { root: empty })).toThrow(/continues .*, which is missing/);
          continue;
        }
        const plan = planOf(session, { root: target });
        const planned = [plan.file, ...(plan.claims ?? [])];
        const own = session.files.filter(({ part }) => part !== "copy");
        expect(planned).toHaveLength(own.length);
        expect(plan.command).toEqual(["codex", "resume", session.id]);
        for (const { path, text } of planned) {
          expect(plan.isFoundAt(path)).toBe(true);
          const name = path.split("/").at(-1) ?? "";
          const original = own.find((file) => file.path.endsWith(name));
          if (original) expect(Buffer.from(text).equals(readFileSync(original.path))).toBe(true);
          else expect(own.some((file) => file.path.endsWith(`${name}.zst`))).toBe(true);
          mkdirSync(dirname(path), { recursive: true });
          writeFileSync(path, text);
        }
        const again = sessionsIn(target).find(({ id }) => id === session.id);
        expect(again?.messages.map(({ id, text, standing }) => [id, text, standing])).toEqual(
          session.messages.map(({ id, text, standing }) => [id, text, standing]),
        );
      }
    }
  });

  test("keeps bytes that are not text", () => {
    const meta = { type: "session_meta", payload: { id: ID, cwd: "/p" } };
    const header = `${JSON.stringify({ timestamp: "2026-11-15T20:57:48.263Z", ...meta })}\n`;
    const path = join(
      folder("odd-bytes", { [`sessions/2026/11/15/${ROLLOUT}`]: "" }),
      `sessions/2026/11/15/${ROLLOUT}`,
    );
    const bytes = Buffer.concat([Buffer.from(header), Buffer.from([0xff, 0xfe, 10])]);
    writeFileSync(path, bytes);
    const [session] = sessionsIn(join(base, "odd-bytes"));
    if (!session) throw new Error("There is a session.");
    const { file } = planOf(session, { root: folder("odd-target") });
    expect(Buffer.from(file.bytes ?? file.text).equals(bytes)).toBe(true);
  });

  test("adds the name of a thread to the list of names, once", () => {
    const session = sessionsIn(treeNamed("0.166.0/tui-rename")).find(({ summary }) => summary);
    if (!session) throw new Error("There is a named session.");
    const root = folder("named");
    const { appends = [] } = planOf(session, { root });
    expect(appends.map(({ path }) => path)).toEqual([join(root, "session_index.jsonl")]);
    const line = appends[0]?.line ?? "";
    expect(JSON.parse(line)).toMatchObject({ id: session.id, thread_name: session.summary });
    writeFileSync(join(root, "session_index.jsonl"), `${line}\n`);
    expect(planOf(session, { root }).appends).toEqual([]);
  });

  test("under another id gives a separate session", () => {
    const [session] = sessionsIn(treeNamed("0.130.0/tools"));
    if (!session) throw new Error("There is a session.");
    const id = "01a1e100-0000-7000-8000-000000000001";
    const root = folder("renamed");
    const { file, command } = planOf(session, { root, id });
    expect(command).toEqual(["codex", "resume", id]);
    mkdirSync(dirname(file.path), { recursive: true });
    writeFileSync(file.path, file.text);
    const [copy] = sessionsIn(root);
    expect(copy?.id).toBe(id);
    expect(copy?.messages.map(({ text }) => text)).toEqual(
      session.messages.map(({ text }) => text),
    );
    expect(existsSync(file.path)).toBe(true);
  });

  test("refuses sessions from before 0.32, which no later version resumes", () => {
    const [session] = sessionsIn(treeNamed("0.20.0/plan"));
    if (!session) throw new Error("There is a session.");
    expect(() => planOf(session, { root: folder("old") })).toThrow(/before 0\.32/);
  });
});
