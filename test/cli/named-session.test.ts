import { describe, expect, test } from "vitest";
import { EXIT } from "../../src/cli/exit.ts";
import { sources } from "../../src/sources/index.ts";
import { run } from "./run.ts";

describe("--agent where one session is named", () => {
  const shown = async (...args: string[]): Promise<{ id: string; source: string }> => {
    const { out } = await run(["show", ...args, "--demo", "--json"]);
    return JSON.parse(out).session;
  };

  test("says whose latest is meant", async () => {
    for (const { id, aliases } of sources) {
      expect(await shown("latest", "--agent", aliases[0] ?? id)).toMatchObject({ source: id });
    }
    expect(await shown("latest", "--source", "codex")).toMatchObject({ source: "codex" });
  });

  test("narrows what an id may begin with, and finds nothing of others", async () => {
    const { id } = await shown("latest", "--agent", "codex");
    expect(await shown(id.slice(0, 8), "--agent", "codex")).toMatchObject({ id });
    const wrong = await run(["show", id, "--agent", "claude", "--demo"]);
    expect(wrong).toMatchObject({ code: EXIT.notFound });
    expect(wrong.err).toContain("pollux sessions --agent claude");
  });

  test("is known to every command that takes one", async () => {
    for (const command of ["show", "events", "record", "restore", "resume", "handover"]) {
      expect((await run([command, "--help"])).out).toContain("--agent <name>");
    }
  });
});
