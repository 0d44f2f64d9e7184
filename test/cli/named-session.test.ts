// @module-tag slow
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { EXIT } from "../../src/cli/exit.ts";
import { sources } from "../../src/sources/index.ts";
import { madeHome } from "../sources/made-home.ts";
import type { Run } from "./run.ts";
import { lines, run } from "./run.ts";

describe("--agent with a session id", () => {
  const shown = async (...args: string[]): Promise<{ id: string; source: string }> => {
    const { out } = await run(["show", ...args, "--demo", "--json"]);
    return JSON.parse(out).session;
  };

  test("selects the agent of 'latest'", async () => {
    for (const { id, aliases } of sources) {
      expect(await shown("latest", "--agent", aliases[0] ?? id)).toMatchObject({ source: id });
    }
    expect(await shown("latest", "--source", "codex")).toMatchObject({ source: "codex" });
  });

  test("limits id prefixes to the agent's sessions", async () => {
    const { id } = await shown("latest", "--agent", "codex");
    expect(await shown(id.slice(0, 8), "--agent", "codex")).toMatchObject({ id });
    const wrong = await run(["show", id, "--agent", "claude", "--demo"]);
    expect(wrong).toMatchObject({ code: EXIT.notFound });
    expect(wrong.err).toContain("pollux sessions --agent claude");
  });

  test("limits a list and what is said about it to the agent", async () => {
    const { out } = await run(["sessions", "--agent", "codex", "--demo"]);
    expect(out).toContain("\n2 sessions\n2 files, 2 read\n");
    expect(out).not.toContain("saved chat");
  });

  test("is an option of every command that takes a session", async () => {
    const single = ["show", "events", "record", "restore", "resume", "handover", "explain"];
    const own = ["tag", "note", "star", "title"];
    for (const command of [...single, ...own, "export", "secrets", "forget", "compare", "blame"]) {
      expect((await run([command, "--help"])).out, command).toContain("--agent <name>");
    }
  });

  test("can be a prefix of the id, also as an alias", async () => {
    const { id } = await shown("codex:latest");
    expect(await shown(`codex:${id.slice(0, 8)}`)).toMatchObject({ id, source: "codex" });
    expect(await shown("claude:latest")).toMatchObject({ source: "claude-code" });
    expect((await run(["explain", `codex:${id}`, "--demo"])).out).toContain(id);
    const wrong = await run(["show", `qwen:${id}`, "--demo"]);
    expect(wrong.err).toContain(`No session of qwen-code matches "${id}".`);
  });
});

describe("an id that two agents use", () => {
  const ID = "01a1e10a-359d-7023-870d-f5ff073ea6f9";
  const at = "2026-11-15T10:00:00.000Z";

  /** Runs commands on a kept home with such an id. */
  async function twice(): Promise<(...args: string[]) => Promise<Run>> {
    const meta = { id: ID, timestamp: at, cwd: "/p", cli_version: "0.130.0" };
    const rollout = [
      { timestamp: at, type: "session_meta", payload: meta },
      { timestamp: at, type: "event_msg", payload: { type: "user_message", message: "Of codex" } },
    ];
    const common = { parentUuid: null, isSidechain: false, sessionId: ID, cwd: "/p" };
    const message = { role: "user", content: "Of claude" };
    const record = { ...common, type: "user", uuid: "u1", version: "2.1.0", timestamp: at };
    const home = madeHome({
      [`.codex/sessions/2026/11/15/rollout-2026-11-15T10-00-00-${ID}.jsonl`]: lines(...rollout),
      [`.claude/projects/-p/${ID}.jsonl`]: lines({ ...record, message }),
    });
    const place = ["--root", home, "--archive", join(home, "archive.db")];
    const ask = (...args: string[]): Promise<Run> => run([...args, ...place]);
    await ask("keep");
    return ask;
  }

  test("is rejected as ambiguous", async () => {
    const ask = await twice();
    for (const name of [ID, ID.slice(0, 6)]) {
      for (const args of [["show"], ["star"], ["explain"], ["export", "--to", "markdown"]]) {
        const { code, err } = await ask(...args, name);
        expect([args[0], code]).toEqual([args[0], EXIT.notFound]);
        expect(err).toContain(`claude-code:${ID}`);
        expect(err).toContain(`codex:${ID}`);
      }
    }
  });

  test("is resolved by the agent", async () => {
    const ask = await twice();
    expect((await ask("show", ID, "--agent", "codex")).out).toContain("Of codex");
    expect((await ask("show", `claude:${ID}`)).out).toContain("Of claude");
    const exported = await ask("export", ID, "--agent", "claude", "--to", "markdown");
    expect(exported.out).toContain("Of claude");
    await ask("star", ID, "--agent", "codex");
    const starred = JSON.parse((await ask("star", "--json")).out) as { things: unknown[] };
    expect(starred.things).toMatchObject([{ source: "codex", sessionId: ID }]);
    expect((await ask("star", "--agent", "claude")).out).toContain("No stars yet.");
    const forgotten = await ask("forget", ID, "--agent", "codex", "--yes", "--json");
    expect(JSON.parse(forgotten.out)).toMatchObject({ sessions: [{ source: "codex" }] });
    await ask("keep");
    expect((await ask("show", ID)).out).toContain("Of claude");
    const { sessions } = JSON.parse((await ask("sessions", "--json")).out) as {
      sessions: { source: string }[];
    };
    expect(sessions.map(({ source }) => source)).toEqual(["claude-code"]);
  });
});
