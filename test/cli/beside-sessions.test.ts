// @module-tag slow
import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Diagnostic } from "../../src/core/files/diagnostic.ts";
import { madeHome, madeSession } from "../sources/made-home.ts";
import { lines, run } from "./run.ts";

const ID = "01a1e10a-359d-7023-870d-f5ff073ea6f9";
const AT = "2026-11-15T10:00:00.000Z";

/** Runs a command on the archive and with --fresh, and checks that both answers are equal. */
async function asked(home: string, ...args: string[]): Promise<string> {
  const place = ["--root", home, "--archive", join(home, "archive.db")];
  const kept = await run([...args, ...place]);
  expect((await run([...args, ...place, "--fresh"])).out).toBe(kept.out);
  return kept.out;
}

async function damageOf(home: string): Promise<Partial<Diagnostic>[]> {
  const answer = JSON.parse(await asked(home, "sessions", "--json")) as {
    coverage: { diagnostics: Diagnostic[] };
  };
  return answer.coverage.diagnostics;
}

describe("the title index of Codex", () => {
  const rollout = `.codex/sessions/2026/11/15/rollout-2026-11-15T10-00-00-${ID}.jsonl`;
  const entry = (name: string): string => lines({ id: ID, thread_name: name, updated_at: AT });

  function codexHome(): { home: string; list: string } {
    const meta = { id: ID, timestamp: AT, cwd: "/p", cli_version: "0.130.0" };
    const home = madeHome({
      [rollout]: lines(
        { timestamp: AT, type: "session_meta", payload: meta },
        { timestamp: AT, type: "event_msg", payload: { type: "user_message", message: "Hello" } },
      ),
      ".codex/session_index.jsonl": entry("At first"),
    });
    return { home, list: join(home, ".codex/session_index.jsonl") };
  }

  test("renames a session whose file has not changed", async () => {
    const { home, list } = codexHome();
    await run(["keep", "--root", home, "--archive", join(home, "archive.db")]);
    expect(await asked(home, "sessions")).toContain("At first");
    appendFileSync(list, entry("Renamed later"));
    expect(await asked(home, "sessions")).toContain("Renamed later");
  });

  test("reports its damage with file and line, also after another scan", async () => {
    const { home, list } = codexHome();
    await run(["keep", "--root", home, "--archive", join(home, "archive.db")]);
    appendFileSync(list, `{"id":"${ID}"}\nno json\n{"id":"${ID}","thread_na`);
    const found = [
      { file: list, line: 2, severity: "notice" },
      { file: list, line: 3, severity: "damage", code: "bad-line" },
      { file: list, line: 4, severity: "damage", code: "torn-line" },
    ];
    expect(await damageOf(home)).toMatchObject(found);
    writeFileSync(join(home, ".codex/history.jsonl"), lines({ session_id: ID, ts: 1, text: "a" }));
    expect(await damageOf(home)).toMatchObject(found);
  });
});

test("reports damage in the projects.json of Gemini CLI, also after another scan", async () => {
  const home = madeHome({
    ".gemini/projects.json": '{"projects": {"/home/x": "le',
    ".gemini/tmp/ledger/chats/session-2026-05-04T10-00-a.jsonl": madeSession("a"),
  });
  await run(["keep", "--root", home, "--archive", join(home, "archive.db")]);
  const found = [{ file: join(home, ".gemini/projects.json"), severity: "damage" }];
  expect(await damageOf(home)).toMatchObject(found);
  writeFileSync(join(home, ".gemini/tmp/ledger/logs.json"), "[]");
  expect(await damageOf(home)).toMatchObject(found);
});

test("reports damage in the subagent metadata of Claude Code with file and line", async () => {
  const agent = `.claude/projects/-p/${ID}/subagents/agent-a1b2c3d4e5f6a7b8c`;
  const common = { parentUuid: null, sessionId: ID, cwd: "/p", version: "2.1.200", timestamp: AT };
  const said = (text: string): object => ({ role: "user", content: text });
  const main = { ...common, type: "user", uuid: "u1", isSidechain: false, message: said("Hello") };
  const side = { ...common, type: "user", uuid: "s1", isSidechain: true, message: said("Task") };
  const home = madeHome({
    [`.claude/projects/-p/${ID}.jsonl`]: lines(main),
    [`${agent}.jsonl`]: lines({ ...side, agentId: "a1b2c3d4e5f6a7b8c" }),
    [`${agent}.meta.json`]: '{"agentType":"Explore","descr',
  });
  await run(["keep", "--root", home, "--archive", join(home, "archive.db")]);
  expect(await damageOf(home)).toMatchObject([
    { file: join(home, `${agent}.meta.json`), line: 1, severity: "damage" },
  ]);
});
