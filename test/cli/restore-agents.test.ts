import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { run } from "./run.ts";

const corpora = join(import.meta.dirname, "../fixtures/corpora");
const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A writable copy of a recorded home. */
function homeOf(tree: string): string {
  const folder = mkdtempSync(join(tmpdir(), "pollux-restore-"));
  folders.push(folder);
  cpSync(join(corpora, tree), folder, { recursive: true });
  return folder;
}

test.each([
  ["claude-code/2.1.325/basic", "Claude Code deletes sessions 30 days", "cleanupPeriodDays"],
  ["codex/0.166.0/basic", "Codex is set to delete no sessions, so it will stay.", "codex resume"],
  [
    "qwen-code/0.24.4/basic",
    "Qwen Code is set to delete no sessions, so it will stay.",
    "qwen --resume",
  ],
])("restore names the retention and resume command of the agent: %s", async (tree, rule, words) => {
  const root = homeOf(tree);
  const archive = join(root, "archive.db");
  const options = ["--root", root, "--archive", archive];
  const { code, out } = await run(["restore", "latest", "--dry-run", ...options]);
  const text = out.replaceAll(/\s+/g, " ");
  expect(code).toBe(0);
  expect(text).toContain(rule);
  expect(text).toContain(words);
  expect(text).not.toMatch(/Gemini|sessionRetention/);
});

test.each([
  ["codex/0.20.0/tui-basic", "before 0.32"],
  ["qwen-code/0.1.3/tools", "cannot resume"],
])("restore refuses what no version resumes, before it asks where: %s", async (tree, reason) => {
  const { code, err } = await run(["restore", "latest", "--root", homeOf(tree), "--fresh"]);
  expect(code).toBe(1);
  expect(err).toContain(reason);
  expect(err).not.toContain("--project");
});

test("restore of a reviewer's thread whose parent is not recorded promises no parent", async () => {
  const root = homeOf("codex/0.80.0/review");
  const { code, err } = await run(["restore", "01a1e107-9ae9", "--root", root, "--fresh"]);
  expect(code).toBe(1);
  expect(err).toContain("does not say which session started it");
});
