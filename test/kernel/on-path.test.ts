import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { findOnPath } from "../../src/kernel/on-path.ts";

const root = mkdtempSync(join(tmpdir(), "pollux-path-"));

/** A folder with programs, and a folder that has the name of one. */
function folderWith(...names: string[]): string {
  const folder = mkdtempSync(join(root, "bin-"));
  for (const name of names) writeFileSync(join(folder, name), "", { mode: 0o755 });
  return folder;
}

describe("a program on the PATH", () => {
  const isPosix = process.platform !== "win32";

  test.skipIf(!isPosix)("is the first one that can be run (POSIX: no colons in paths)", () => {
    const [first, second] = [folderWith(), folderWith("agent")];
    mkdirSync(join(first, "agent"));
    const env = { PATH: `${first}:${second}` };
    expect(findOnPath("agent", env)).toBe(join(second, "agent"));
    expect(findOnPath("other", env)).toBeUndefined();
    expect(findOnPath("agent", {})).toBeUndefined();
  });

  test("has one of the endings of PATHEXT on Windows", () => {
    const folder = folderWith("agent", "agent.cmd", "tool.exe", "script.ps1");
    const found = (name: string, env: Record<string, string>): string | undefined =>
      findOnPath(name, env, "win32");
    expect(found("agent", { Path: folder })).toBe(join(folder, "agent.cmd"));
    expect(found("tool", { PATH: `;${folder}` })).toBe(join(folder, "tool.exe"));
    expect(found("script", { PATH: folder })).toBeUndefined();
    expect(found("script", { PATH: folder, PATHEXT: ".PS1" })).toBe(join(folder, "script.ps1"));
  });
});
