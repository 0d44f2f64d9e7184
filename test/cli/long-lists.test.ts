// @module-tag slow
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { header, jsonl, model, user } from "../samples/records.ts";
import { prompt } from "../sources/claude-code/read-files.ts";
import { run } from "./run.ts";

/** More than the number of arguments that a call can have. */
const MANY = 130_000;

const GEMINI_ID = "5e551008-0000-4000-8000-000000000008";
const CLAUDE_ID = "11111111-1111-4111-8111-111111111111";

function lineOf(record: object): string {
  return jsonl(record);
}

function homeOf(files: Record<string, string>): string {
  const home = mkdtempSync(join(tmpdir(), "pollux-long-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(home, path, ".."), { recursive: true });
    writeFileSync(join(home, path), text);
  }
  return home;
}

const HOMES = {
  "a prompt of 130,000 lines and 130,000 titles": {
    file: `.claude/projects/-home-ada-ledger/${CLAUDE_ID}.jsonl`,
    text: () => {
      const title = { type: "custom-title", customTitle: "Many", sessionId: CLAUDE_ID };
      const titles = Array.from({ length: MANY }, () => title);
      return [prompt("a line\n".repeat(MANY)), ...titles].map(lineOf).join("");
    },
  },
  "130,000 calls in one answer and 130,000 code spans": {
    file: ".gemini/tmp/ledger/chats/session-2026-02-10T17-28-5e551008.jsonl",
    text: () => {
      const toolCalls = Array.from({ length: MANY }, (_, at) => ({ id: `c${at}`, name: "glob" }));
      const answer = model("m", 2, { text: "`a` ".repeat(MANY), toolCalls });
      return jsonl(header(GEMINI_ID), user("u", 1, "Go"), answer);
    },
  },
} as const;

const LINES = ["keep", "show latest", "export latest --to markdown"];

test.each(Object.entries(HOMES))(
  "reads and prints very long lists: %s",
  async (_, { file, text }) => {
    const root = homeOf({ [file]: text() });
    const asked = ["--root", root, "--archive", join(root, "archive.db")];
    for (const line of LINES) {
      const { code, err } = await run([...line.split(" "), ...asked]);
      expect([line, code, err]).toEqual([line, 0, expect.not.stringContaining("went wrong")]);
    }
  },
  300_000,
);
