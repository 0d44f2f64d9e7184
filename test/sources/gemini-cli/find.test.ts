import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { decodeFile } from "../../../src/ingest/decode.ts";
import { fileBytes } from "../../../src/kernel/bytes.ts";
import type { PlayedFile } from "../../../src/sources/gemini-cli/interpret/file-replay.ts";
import { diskView } from "../../../src/sources/view.ts";
import { open } from "../../../src/library/library.ts";
import type { Diagnostic } from "../../../src/core/files/diagnostic.ts";
import { findFiles } from "../../../src/sources/gemini-cli/find.ts";
import { geminiCli } from "../../../src/sources/gemini-cli/index.ts";
import { madeHome, madeSession } from "../made-home.ts";

interface Found {
  files: string[];
  folders: string[];
  reported: string[];
}

function find(root: string): Found {
  const diagnostics: Diagnostic[] = [];
  const { files, folders } = findFiles(root, (diagnostic) => diagnostics.push(diagnostic));
  const short = (path: string): string => path.replace(`${root}/`, "");
  return {
    files: files.map(({ path, role, parentId }) => {
      return [role, short(path), ...(parentId === undefined ? [] : [`of ${parentId}`])].join(" ");
    }),
    folders,
    reported: diagnostics.map(({ code, file }) => `${code} ${short(file)}`),
  };
}

const HASH = "a".repeat(64);

describe("files found below a root", () => {
  test("are all files about conversations, and nothing else", () => {
    const root = madeHome({
      "tmp/ledger/chats/session-2026-05-04T10-00-aaaaaaaa.jsonl": madeSession("a"),
      "tmp/ledger/chats/session-2026-05-04T10-00-bbbbbbbb.json": "{}",
      "tmp/ledger/chats/aaaaaaaa-1/agent1.jsonl": madeSession("agent1"),
      "tmp/ledger/chats/session-x.jsonl.unreadable-177": "x",
      "tmp/ledger/chats/session-x.jsonl.tmp-42": "x",
      "tmp/ledger/checkpoint-my%20tag.json": "[]",
      "tmp/ledger/checkpoint.json": "[]",
      "tmp/ledger/checkpoints/now-a.txt-write_file.json": "{}",
      "tmp/ledger/logs.json": "[]",
      "tmp/ledger/logs.json.invalid_json.177.bak": "[",
      "tmp/ledger/logs/session-a.jsonl": "{}",
      "tmp/ledger/shell_history": "ls",
      "tmp/ledger/aaaaaaaa-1/plans/plan.md": "x",
      [`tmp/${HASH}/chats/session-y.json`]: "{}",
      "tmp/bin/rg": "x",
      "tmp/background-processes/background-1.log": "x",
      "oauth_creds.json": "{}",
      "gemini-credentials.json": "{}",
      "mcp-oauth-tokens.json": "{}",
      "settings.json": "{}",
    });
    const { files, folders, reported } = find(root);
    expect(files).toEqual([
      `main tmp/${HASH}/chats/session-y.json`,
      "subagent tmp/ledger/chats/aaaaaaaa-1/agent1.jsonl of aaaaaaaa-1",
      "main tmp/ledger/chats/session-2026-05-04T10-00-aaaaaaaa.jsonl",
      "main tmp/ledger/chats/session-2026-05-04T10-00-bbbbbbbb.json",
      "set-aside tmp/ledger/chats/session-x.jsonl.tmp-42",
      "set-aside tmp/ledger/chats/session-x.jsonl.unreadable-177",
      "saved-chat tmp/ledger/checkpoint-my%20tag.json",
      "saved-chat tmp/ledger/checkpoint.json",
      "prompt-log tmp/ledger/logs.json",
      "prompt-log tmp/ledger/logs.json.invalid_json.177.bak",
    ]);
    expect(folders).toEqual([HASH, "ledger"]);
    expect(reported).toEqual([]);
  });

  test("are none in an empty or missing root", () => {
    expect(find(madeHome())).toEqual({ files: [], folders: [], reported: [] });
    expect(find(join(madeHome(), "gone")).files).toEqual([]);
  });

  test("are marked if the program's own clean-up reaches them", () => {
    const root = madeHome({
      [`tmp/${HASH}/chats/session-y.json`]: "{}",
      "tmp/ledger/chats/session-y.json": "{}",
    });
    const { files } = findFiles(root, () => undefined);
    expect(files.map(({ isCleaned }) => isCleaned)).toEqual([false, true]);
  });
});

describe("unusual folders", () => {
  test("a cycle of links ends and is reported", () => {
    const root = madeHome({ "tmp/ledger/chats/session-a.jsonl": madeSession("a") });
    symlinkSync(join(root, "tmp"), join(root, "tmp", "ledger", "chats", "again"));
    symlinkSync(join(root, "tmp", "ledger"), join(root, "tmp", "twin"));
    const { files, reported } = find(root);
    expect(files).toEqual(["main tmp/ledger/chats/session-a.jsonl"]);
    expect(reported.toSorted()).toEqual([
      "symlink-loop tmp/ledger/chats/again",
      "symlink-loop tmp/twin",
    ]);
  });

  test("a broken link is reported, and its neighbours are found", () => {
    const root = madeHome({ "tmp/ledger/chats/session-b.jsonl": madeSession("b") });
    symlinkSync(join(root, "gone"), join(root, "tmp/ledger/chats/session-a.jsonl"));
    const { files, reported } = find(root);
    expect(files).toEqual(["main tmp/ledger/chats/session-b.jsonl"]);
    expect(new Set(reported)).toEqual(new Set(["vanished-file tmp/ledger/chats/session-a.jsonl"]));
  });

  test("a linked session file is found under its own name", () => {
    const root = madeHome({ "elsewhere.jsonl": madeSession("a"), "tmp/ledger/logs.json": "[]" });
    mkdirSync(join(root, "tmp/ledger/chats"));
    symlinkSync(join(root, "elsewhere.jsonl"), join(root, "tmp/ledger/chats/session-a.jsonl"));
    expect(find(root).files[0]).toBe("main tmp/ledger/chats/session-a.jsonl");
  });

  test("unexpected names are reported, except hidden ones", () => {
    const root = madeHome({
      "tmp/ledger/chats/notes.txt": "x",
      "tmp/ledger/chats/.DS_Store": "x",
      "tmp/ledger/chats/session-a.jsonl~": "x",
      "tmp/ledger/chats/parent/inner/deep.jsonl": "x",
    });
    expect(find(root).reported).toEqual([
      "odd-name tmp/ledger/chats/notes.txt",
      "odd-name tmp/ledger/chats/parent/inner",
      "odd-name tmp/ledger/chats/session-a.jsonl~",
    ]);
  });

  test("names of every kind are read", async () => {
    const names = [
      "ses sion é 日本.jsonl",
      "-rf.jsonl",
      "a\nb.jsonl",
      "%00.jsonl",
      "'\"$(x).jsonl",
    ];
    const root = madeHome(
      Object.fromEntries(
        names.map((name, index) => [`tmp/ledger/chats/${name}`, madeSession(`s${index}`)]),
      ),
    );
    const { sessions } = await open({ roots: [root] }).sessions();
    expect(sessions.map(({ id }) => id).toSorted()).toEqual(["s0", "s1", "s2", "s3", "s4"]);
  });

  test("a file in place of a folder is reported", () => {
    const root = madeHome({ "tmp/ledger/chats": "not a folder", "tmp/file": "no project" });
    expect(find(root)).toEqual({
      files: [],
      folders: ["ledger"],
      reported: ["unreadable-folder tmp/ledger/chats"],
    });
  });

  test.skipIf(process.platform === "win32")("a named pipe is not opened", async () => {
    const root = madeHome({ "tmp/ledger/chats/session-b.jsonl": madeSession("b") });
    execFileSync("mkfifo", [join(root, "tmp/ledger/chats/session-a.json")]);
    execFileSync("mkfifo", [join(root, "tmp/ledger/checkpoint-a.json")]);
    expect(find(root).reported).toEqual([
      "odd-name tmp/ledger/chats/session-a.json",
      "odd-name tmp/ledger/checkpoint-a.json",
    ]);
    expect((await open({ roots: [root] }).sessions()).sessions.length).toBe(1);
  });

  const isRoot = process.getuid?.() === 0;
  test.skipIf(process.platform === "win32" || isRoot)(
    "a folder without permission is reported",
    () => {
      const root = madeHome({
        "tmp/closed/chats/session-a.jsonl": madeSession("a"),
        "tmp/ledger/chats/session-b.jsonl": madeSession("b"),
      });
      chmodSync(join(root, "tmp/closed"), 0o000);
      const { files, reported } = find(root);
      chmodSync(join(root, "tmp/closed"), 0o700);
      expect(files).toEqual(["main tmp/ledger/chats/session-b.jsonl"]);
      expect(reported).toEqual(["unreadable-folder tmp/closed"]);
    },
  );
});

describe("a file that disappears while it is read", () => {
  test("is reported, and its neighbours are read", () => {
    const root = madeHome({
      "tmp/ledger/chats/session-a.jsonl": madeSession("a"),
      "tmp/ledger/chats/session-b.jsonl": madeSession("b"),
    });
    const { files } = findFiles(root, () => undefined);
    rmSync(join(root, "tmp/ledger/chats/session-a.jsonl"));
    const home = { root, folders: [], view: diskView };
    const decoded = files.map((file) => {
      return decodeFile(geminiCli, { file, bytes: fileBytes(file.path), home }, "full");
    });
    const reported = decoded.flatMap(({ diagnostics }) => diagnostics);
    expect(reported.map(({ code }) => code)).toEqual(["vanished-file"]);
    const sessions = geminiCli.interpret(decoded as PlayedFile[], "full");
    expect(sessions.map(({ id }) => id)).toEqual(["b"]);
  });
});
