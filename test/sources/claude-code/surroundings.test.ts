import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import type { Diagnostic } from "../../../src/core/files/diagnostic.ts";
import { memoryBytes } from "../../../src/kernel/bytes.ts";
import { claudeCode } from "../../../src/sources/claude-code/index.ts";
import { describeTool } from "../../../src/sources/claude-code/tools.ts";
import type { Environment } from "../../../src/sources/source.ts";

const homes: string[] = [];

function makeHome(files: Readonly<Record<string, string>>): string {
  const home = mkdtempSync(join(tmpdir(), "pollux-claude-"));
  homes.push(home);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, name)), { recursive: true });
    writeFileSync(join(home, name), text);
  }
  return home;
}

afterEach(() => {
  for (const home of homes.splice(0)) rmSync(home, { recursive: true, force: true });
});

const ID = "11111111-1111-4111-8111-111111111111";
const OTHER = "22222222-2222-4222-8222-222222222222";
const SESSION = `projects/-p/${ID}.jsonl`;

function environment(homeDir: string, more: Partial<Environment> = {}): Environment {
  return { env: {}, homeDir, tempDir: tmpdir(), platform: "linux", requestedRoots: [], ...more };
}

function pathsOf(given: Environment): string[] {
  return claudeCode.roots(given).map(({ path }) => path);
}

describe("roots", () => {
  test("are the home folder, and the configuration folder if it is used", () => {
    const home = makeHome({ [`.claude/${SESSION}`]: "" });
    expect(pathsOf(environment(home))).toEqual([join(home, ".claude")]);
    mkdirSync(join(home, ".config/claude/projects"), { recursive: true });
    expect(pathsOf(environment(home))).toEqual([
      join(home, ".claude"),
      join(home, ".config/claude"),
    ]);
  });

  test("are those of CLAUDE_CONFIG_DIR, one path or several", () => {
    const home = makeHome({ "a/projects/x": "", "b, c/projects/x": "" });
    const [a, b] = [join(home, "a"), join(home, "b, c")];
    const named = (value: string): string[] => {
      return pathsOf(environment(home, { env: { CLAUDE_CONFIG_DIR: value } }));
    };
    expect(named(a)).toEqual([a]);
    expect(named(b)).toEqual([b]);
    expect(named(`${a},${join(home, "d")}`)).toEqual([a, join(home, "d")]);
  });

  test("are also those of Xcode and of Claude Desktop, which has one per session", () => {
    const sessions = "Claude/local-agent-mode-sessions/account/group";
    const others = [
      "Library/Developer/Xcode/CodingAssistant/ClaudeAgentConfig",
      `Library/Application Support/${sessions}/local_1/.claude`,
      `Library/Application Support/${sessions}/local_2/.claude`,
      `.config/${sessions}/agent/local_3/.claude`,
      `AppData/Roaming/${sessions}/local_4/.claude`,
      `AppData/Local/Packages/Claude_x/LocalCache/Roaming/${sessions}/local_5/.claude`,
    ];
    const home = makeHome({
      ...Object.fromEntries(others.map((path) => [`${path}/${SESSION}`, ""])),
      [`Library/Application Support/${sessions}/local_1/audit.jsonl`]: "",
    });
    expect(pathsOf(environment(home))).toEqual(
      [".claude", ...others].map((path) => join(home, path)),
    );
  });

  test("in a given folder are recognised by their content", () => {
    const home = makeHome({
      [`machines/one/.claude/${SESSION}`]: "",
      [`machines/two/claude-work/${SESSION}`]: "",
      "machines/two/.qwen/projects/-p/chats/x.jsonl": "",
      [`machines/two/.qwen/${SESSION}`]: "",
      "machines/two/.codex/sessions/x.jsonl": "",
      "machines/two/.gemini/tmp/p/chats/session-1.jsonl": "",
      "machines/two/plain/notes.txt": "",
    });
    const asked = (path: string): string[] => {
      return pathsOf(environment("/nowhere", { requestedRoots: [join(home, path)] }));
    };
    expect(asked("machines/one/.claude")).toEqual([join(home, "machines/one/.claude")]);
    expect(asked("machines")).toEqual([
      join(home, "machines/one/.claude"),
      join(home, "machines/two/claude-work"),
    ]);
    for (const other of [".qwen", ".codex", ".gemini", "plain", "nothing"]) {
      expect(asked(`machines/two/${other}`), other).toEqual([]);
    }
  });
});

describe("files", () => {
  test("are sessions, agents, outputs, lists and the prompt history, but no credentials or keys", () => {
    const home = makeHome({
      [SESSION]: "",
      "projects/-p/agent-1a2b3c4.jsonl": "",
      [`projects/${OTHER}.jsonl`]: "",
      [`projects/-p/${ID}/subagents/agent-a1234567890123456.jsonl`]: "",
      [`projects/-p/${ID}/subagents/agent-a1234567890123456.meta.json`]: "{}",
      [`projects/-p/${ID}/tool-results/b1.txt`]: "long",
      "projects/-p/memory/MEMORY.md": "",
      "history.jsonl": "",
      [`todos/${ID}-agent-${ID}.json`]: "[]",
      [`tasks/${ID}/1.json`]: "{}",
      ".credentials.json": "secret",
      "sessions/123.abc.key": "secret",
      "settings.json": "{}",
    });
    const { files, folders } = claudeCode.find(
      { path: home, because: "", isFound: true },
      () => undefined,
    );
    expect(folders).toEqual(["-p"]);
    const found = files.map(({ path, role, parentId }) => {
      return [path.slice(home.length + 1), role, parentId];
    });
    expect(found).toEqual(
      [
        [SESSION, "main", undefined],
        [`projects/-p/${ID}/subagents/agent-a1234567890123456.jsonl`, "subagent", ID],
        [`projects/-p/${ID}/subagents/agent-a1234567890123456.meta.json`, "companion", ID],
        [`projects/-p/${ID}/tool-results/b1.txt`, "spill", ID],
        ["projects/-p/agent-1a2b3c4.jsonl", "subagent", undefined],
        [`projects/${OTHER}.jsonl`, "main", undefined],
        ["history.jsonl", "prompt-log", undefined],
        [`todos/${ID}-agent-${ID}.json`, "companion", ID],
        [`tasks/${ID}/1.json`, "companion", ID],
      ].toSorted(byOrderOf(found)),
    );
  });

  test("behind cyclic links are found once", () => {
    const home = makeHome({ [SESSION]: "" });
    symlinkSync(join(home, "projects"), join(home, "projects/-p/again"));
    const reported: Diagnostic[] = [];
    const root = { path: home, because: "", isFound: true };
    const { files } = claudeCode.find(root, (diagnostic) => void reported.push(diagnostic));
    expect(files).toHaveLength(1);
    expect(reported.map(({ code }) => code)).toEqual(["symlink-loop"]);
  });

  test("that belong together share a key", () => {
    const keys = (name: string, lines: readonly object[]): string[] => {
      const path = `/r/projects/-p/${name}`;
      const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
      const bytes = Buffer.from(text);
      const role = name.startsWith("agent-") ? ("subagent" as const) : ("main" as const);
      const file = { path, root: "/r", role, folder: "-p", modifiedMs: 0, isCleaned: true };
      return claudeCode.keysOf({ ...file, sizeBytes: bytes.length }, memoryBytes(path, bytes));
    };
    const version = "1.0.128";
    const main = keys(`${ID}.jsonl`, [{ uuid: "a", sessionId: ID, version }]);
    const share = (other: readonly string[]): boolean => other.some((key) => main.includes(key));
    expect(share(keys("agent-1.jsonl", [{ uuid: "z", sessionId: ID }]))).toBe(true);
    expect(share(keys(`${OTHER}.jsonl`, [{ uuid: "z", sessionId: ID }]))).toBe(true);
    expect(share(keys(`${OTHER}.jsonl`, [{ uuid: "a", sessionId: OTHER }]))).toBe(true);
    // An answer may be written before its prompt, and a prompt may be long.
    const long = "x".repeat(20_000);
    const early = [
      { parentUuid: "b", text: long, uuid: "c", sessionId: OTHER, version: "2.1.300" },
      { parentUuid: null, text: long, uuid: "a", sessionId: OTHER, version: "2.1.300" },
    ];
    expect(share(keys(`${OTHER}.jsonl`, early))).toBe(true);
    expect(share(keys(`${OTHER}.jsonl`, early.slice(1)))).toBe(true);
    const branched = { uuid: "z", sessionId: OTHER, forkedFrom: { sessionId: ID } };
    expect(share(keys(`${OTHER}.jsonl`, [branched]))).toBe(true);
    const boundary = { parentUuid: null, subtype: "compact_boundary", uuid: "z", sessionId: OTHER };
    const content = `${long}. Read the full transcript at: /r/projects/-p/${ID}.jsonl\nGo on.`;
    expect(share(keys(`${OTHER}.jsonl`, [boundary, { message: { content } }]))).toBe(true);
    const titled = { type: "summary", summary: "t", leafUuid: "a" };
    expect(share(keys(`${OTHER}.jsonl`, [titled]))).toBe(true);
    // Titles of many other sessions may come first.
    const titles = Array.from({ length: 2000 }, (_, n) => ({ ...titled, leafUuid: `of ${n}` }));
    expect(share(keys(`${OTHER}.jsonl`, [...titles, { uuid: "z", sessionId: ID }]))).toBe(true);
    // The session may have continued after the title was written.
    const later = [
      { uuid: "a", sessionId: ID, version },
      { uuid: "b", sessionId: ID, version },
    ];
    expect(keys(`${ID}.jsonl`, later)).toEqual(expect.arrayContaining(["leaf a", "leaf b"]));
    expect(share(keys(`${OTHER}.jsonl`, [{ uuid: "z", sessionId: OTHER, version }]))).toBe(false);
  });
});

/** The order of listed folders is not tested. */
function byOrderOf(found: readonly (readonly unknown[])[]) {
  return (a: readonly unknown[], b: readonly unknown[]): number => {
    const place = ([path]: readonly unknown[]): number =>
      found.findIndex(([other]) => other === path);
    return place(a) - place(b);
  };
}

describe("tools", () => {
  test.each([
    ["Bash", "Bash", "shell_exec", "Execute"],
    ["Read", "Read", "file_read", "Read"],
    ["View", "Read", "file_read", "Read"],
    ["MultiEdit", "Edit", "file_edit", "Edit"],
    ["Write", "Write", "file_write", "Edit"],
    ["Grep", "Grep", "file_search", "Search"],
    ["LS", "LS", "file_read", "Read"],
    ["WebFetch", "WebFetch", "web_access", "Fetch"],
    ["Task", "Agent", "agent", "Agent"],
    ["Agent", "Agent", "agent", "Agent"],
    ["TodoWrite", "Todo", "planning", "Plan"],
    ["TaskCreate", "Task", "planning", "Plan"],
    ["KillShell", "Process", "shell_exec", "Execute"],
    ["AskUserQuestion", "Ask", "ask_user", "Ask"],
    ["Brandnew", "Brandnew", "Brandnew", "Other"],
  ])("%s", (name, label, canonical, category) => {
    expect(describeTool(name)).toEqual({ label, canonical, category });
  });

  test("of MCP servers have their server", () => {
    expect(describeTool("mcp__my_files__read__all")).toEqual({
      label: "mcp__my_files__read__all",
      canonical: "mcp__my_files__read__all",
      category: "Mcp",
      mcp: { server: "my_files", tool: "read__all" },
    });
    expect(describeTool("mcp__broken").mcp).toBeUndefined();
  });
});

describe("abilities", () => {
  test("retention is 30 days, or as set", () => {
    const settings = (text?: string): unknown => {
      const home = makeHome(text === undefined ? {} : { "settings.json": text });
      return claudeCode.abilities.retention?.settings({ path: home, because: "", isFound: true });
    };
    const usual = { isEnabled: true, isByFileTime: true, maxAgeDays: 30, from: "the default" };
    expect(settings()).toEqual(usual);
    expect(settings("broken")).toMatchObject({ maxAgeDays: 30 });
    expect(settings('{"cleanupPeriodDays": 365, "env": {"TOKEN": "x"}}')).toMatchObject({
      maxAgeDays: 365,
    });
  });

  test("the prompt log has prompts by session with their project", () => {
    const lines = [
      { display: "one", timestamp: 1794776533364, project: "/p/ledger", sessionId: ID },
      { display: "/exit", timestamp: 1794776540000, project: "/p/ledger", sessionId: ID },
      { display: "other", timestamp: "soon", project: "/p/b", sessionId: OTHER },
    ];
    const bytes = Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join("") + "{");
    const file = {
      path: "/r/history.jsonl",
      root: "/r",
      role: "prompt-log",
      folder: "",
      sizeBytes: bytes.length,
      modifiedMs: 0,
      isCleaned: false,
    } as const;
    const reported: Diagnostic[] = [];
    const logs = claudeCode.abilities.promptLog?.read(
      file,
      memoryBytes(file.path, bytes),
      (found) => {
        reported.push(found);
      },
    );
    expect(logs).toMatchObject([
      {
        sessionId: ID,
        project: { name: "ledger", path: "/p/ledger", knownBy: "recorded" },
        prompts: [{ text: "one", at: "2026-11-15T21:02:13.364Z" }, { text: "/exit" }],
      },
      { sessionId: OTHER, prompts: [{ text: "other" }] },
    ]);
    expect(reported).toMatchObject([{ code: "torn-line", line: 4 }]);
  });
});
