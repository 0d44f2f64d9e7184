import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Shell } from "../../src/cli/shell-line.ts";
import { commandLine, shellLine, shellOf } from "../../src/cli/shell-line.ts";

const RUN = ["gemini", "--resume", "a-1"];

describe("shellLine", () => {
  test.each<[Shell, string, string]>([
    ["posix", "/home/ada/ledger", "cd /home/ada/ledger && gemini --resume a-1"],
    ["posix", "/home/ada/my ledger", "cd '/home/ada/my ledger' && gemini --resume a-1"],
    ["posix", "/it's", String.raw`cd '/it'\''s' && gemini --resume a-1`],
    ["posix", "/$(reboot)", "cd '/$(reboot)' && gemini --resume a-1"],
    ["posix", "-x", "cd -- -x && gemini --resume a-1"],
    ["posix", "/a\u001b[2Jb", String.raw`cd $'/a\x1b\x5b2Jb' && gemini --resume a-1`],
    ["cmd", String.raw`C:\Users\Ada`, String.raw`cd /d C:\Users\Ada && gemini --resume a-1`],
    ["cmd", String.raw`C:\a & b`, String.raw`cd /d "C:\a & b" && gemini --resume a-1`],
    ["cmd", "C:\\50%", 'cd /d "C:\\50"^%"" && gemini --resume a-1'],
    [
      "powershell",
      String.raw`C:\it's $here`,
      String.raw`Set-Location -LiteralPath 'C:\it''s $here'; if ($?) { gemini --resume a-1 }`,
    ],
  ])("quotes for %s: %j", (shell, folder, line) => {
    expect(shellLine(folder, RUN, shell)).toBe(line);
  });

  test("calls a quoted program with & in PowerShell", () => {
    expect(commandLine(["my tool", "x"], "powershell")).toBe("& 'my tool' x");
  });

  test.each([
    "plain",
    "two words",
    "it's",
    '"',
    "$HOME",
    "`id`",
    "a\nb",
    "tab\t",
    "ümläut",
    "!x",
    "\u001b[0m",
  ])("bash changes to the folder %j", (name) => {
    const base = mkdtempSync(join(tmpdir(), "pollux-shell-"));
    try {
      mkdirSync(join(base, name));
      const line = shellLine(join(base, name), ["printenv", "PWD"], "posix");
      const run = spawnSync("bash", ["-c", line], { encoding: "utf8" });
      expect(run.stderr).toBe("");
      expect(run.stdout).toBe(`${join(base, name)}\n`);
    } finally {
      rmSync(base, { recursive: true, force: true });
    }
  });
});

test.each<[NodeJS.Platform, Record<string, string>, Shell]>([
  ["linux", {}, "posix"],
  ["darwin", { PROMPT: "x" }, "posix"],
  ["win32", {}, "powershell"],
  ["win32", { PROMPT: "$P$G" }, "cmd"],
  ["win32", { PROMPT: "$P$G", SHELL: "/usr/bin/bash" }, "posix"],
])("on %s with %j the shell is %s", (platform, env, shell) => {
  expect(shellOf(platform, env)).toBe(shell);
});
