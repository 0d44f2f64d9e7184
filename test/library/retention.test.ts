import { cpSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Library } from "../../src/library/library.ts";
import { open } from "../../src/library/library.ts";

const DAY_MS = 86_400_000;
const WRITTEN_MS = Date.parse("2026-11-15T22:00:00Z");
const corpora = join(import.meta.dirname, "../fixtures/corpora");

/** A copy of a committed tree whose files have the given modification time. */
function homeOf(tree: string, modifiedMs: number, from: "disk" | "archive" = "disk"): Library {
  const home = mkdtempSync(join(tmpdir(), "pollux-retention-"));
  cpSync(join(corpora, tree), home, { recursive: true });
  for (const name of readdirSync(home, { recursive: true, encoding: "utf8" })) {
    const path = join(home, name);
    if (statSync(path).isFile()) utimesSync(path, modifiedMs / 1000, modifiedMs / 1000);
  }
  const archive = from === "archive" ? { archive: join(home, "archive.db") } : {};
  const library = open({ roots: [home], ...archive });
  onTestFinished(async () => {
    await library.close();
    rmSync(home, { recursive: true, force: true });
  });
  return library;
}

test("Claude Code deletes by the file's modification time, not by recorded times", async () => {
  const nowMs = WRITTEN_MS + 28 * DAY_MS;
  const old = await homeOf("claude-code/2.1.325/basic", WRITTEN_MS).doctor(nowMs);
  expect(old.atRisk).toMatchObject([{ source: "claude-code", why: "age", daysLeft: 2 }]);
  const touched = await homeOf("claude-code/2.1.325/basic", nowMs - DAY_MS).doctor(nowMs);
  expect(touched.atRisk).toEqual([]);
});

test("Qwen Code deletes only the transcripts of subagents", async () => {
  const library = homeOf("qwen-code/0.24.4/subagent", WRITTEN_MS);
  expect((await library.doctor(WRITTEN_MS + 10 * DAY_MS)).atRisk).toEqual([]);
  const { atRisk, deletion } = await library.doctor(WRITTEN_MS + 28 * DAY_MS);
  expect(new Set(atRisk.map(({ title }) => title))).toEqual(
    new Set(["Check A", "Check B", "Read the notes"]),
  );
  expect(deletion).toMatchObject({ sessions: 3, notKept: 3, tone: "loud" });
});

test("Codex deletes nothing", async () => {
  const library = homeOf("codex/0.166.0/basic", WRITTEN_MS);
  expect((await library.doctor(WRITTEN_MS + 400 * DAY_MS)).atRisk).toEqual([]);
});

test.each(["disk", "archive"] as const)(
  "the first sessions at risk are those of the whole list (%s)",
  async (from) => {
    const nowMs = WRITTEN_MS + 28 * DAY_MS;
    const library = homeOf("qwen-code/0.24.4/subagent", WRITTEN_MS, from);
    if (from === "archive") await library.keep(nowMs);
    const all = await library.doctor(nowMs);
    expect(all.atRisk).toHaveLength(3);
    for (const mostAtRisk of [0, 1, 3, 20]) {
      const first = await library.doctor(nowMs, { mostAtRisk });
      expect(first).toEqual({ ...all, atRisk: all.atRisk.slice(0, mostAtRisk) });
    }
    const { atRisk, deletion } = await library.overview(nowMs);
    expect({ atRisk, deletion }).toEqual({ atRisk: all.atRisk, deletion: all.deletion });
  },
);
