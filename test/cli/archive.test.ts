import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Driver } from "../../src/store/sqlite/driver.ts";
import { LEDGER_ID, smallHome } from "./homes.ts";
import type { Run } from "./run.ts";
import { run } from "./run.ts";

const { DatabaseSync } = createRequire(import.meta.url)("@photostructure/sqlite") as Driver;
const FILE = "tmp/ledger/chats/session-2026-11-14T09-00-aaaaaaaa.jsonl";

/** Runs the program on one home with one archive. */
function program(): {
  root: string;
  archive: string;
  ask: (...args: string[]) => Promise<Run>;
} {
  const folder = mkdtempSync(join(tmpdir(), "pollux-cli-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const root = smallHome();
  const archive = join(folder, "archive.db");
  return {
    root,
    archive,
    ask: (...args) => run([...args, "--root", root, "--archive", archive], { columns: 100 }),
  };
}

describe("pollux keep", () => {
  test("prints what is new, what is at risk, and the path of the archive", async () => {
    const { ask, archive } = program();
    const first = await ask("keep");
    expect(first).toMatchObject({ code: 0, err: "" });
    expect(first.out).toMatch(/\d+ session files( and \d+ other files?)?; \d+ new; .* read\n/);
    expect(first.out).toContain(`Archive: ${archive}`);
    expect((await ask("keep")).out).toContain("all already archived");
    expect(await ask("keep", "--quiet")).toMatchObject({ code: 0, out: "", err: "" });
    const { roots, atRisk } = JSON.parse((await ask("keep", "--json")).out) as {
      roots: { opened: number }[];
      atRisk: unknown[];
    };
    expect(roots.map(({ opened }) => opened)).toEqual([0]);
    expect(Array.isArray(atRisk)).toBe(true);
  });
});

describe("answers", () => {
  test("come from the archive, from disk (--fresh), or from the unrefreshed archive", async () => {
    const { ask, root } = program();
    await ask("keep");
    rmSync(join(root, "tmp"), { recursive: true });
    const count = async (...args: string[]): Promise<number> => {
      const { out } = await ask("sessions", "--json", ...args);
      return (JSON.parse(out) as { sessions: unknown[] }).sessions.length;
    };
    expect(await count("--fresh")).toBe(0);
    expect(await count("--no-refresh")).toBeGreaterThan(0);
    expect(await count()).toBe(await count("--no-refresh"));
  });

  test("mark sessions that are gone from disk, with the time", async () => {
    const { ask, root } = program();
    await ask("keep");
    expect((await ask("sessions")).out).not.toContain("†");
    rmSync(join(root, FILE));
    const { out } = await ask("sessions");
    expect(out.split("\n").filter((line) => line.includes("†"))).toEqual([
      expect.stringMatching(/^.*aaaaaaaa.*† .+$/),
      expect.stringMatching(/^† 1 session is no longer on disk \(since .+\) but archived: `pollux/),
    ]);
    expect((await ask("show", LEDGER_ID)).out).toMatch(
      /\ngone +from disk since \d{4}-\d\d-\d\d \d\d:\d\d; still in the archive\n/,
    );
  });

  test("are still given for a root that is gone", async () => {
    const { ask, root } = program();
    await ask("keep");
    rmSync(root, { recursive: true });
    expect(await ask("show", LEDGER_ID, "--json")).toMatchObject({ code: 0, err: "" });
  });
});

describe("pollux search", () => {
  test("prints sessions with their matches", async () => {
    const { ask } = program();
    const { code, out } = await ask("search", "note", "--no-pager");
    expect(code).toBe(0);
    expect(out).toMatch(/· [0-9a-f]{8}/);
    expect(out).toMatch(/^ {2}tool +.*note/m);
    expect(out).toMatch(/match(es)? in \d+ sessions?, [\d.]+ ms\n$/);
  });

  test("has the documented fields with --json", async () => {
    const { ask } = program();
    const answer = JSON.parse((await ask("search", "look", "--json")).out) as {
      hits: Record<string, unknown>[];
    };
    const names = "schemaVersion query hits sessions total order suggestions tookMs";
    expect(Object.keys(answer)).toEqual(names.split(" "));
    expect(Object.keys(answer.hits[0] ?? {}).toSorted()).toEqual(
      [
        "sessionId",
        "source",
        "messageId",
        "standing",
        "at",
        "role",
        "snippet",
        "marks",
        "rank",
      ].toSorted(),
    );
  });

  test("reports the position of a syntax error in the query", async () => {
    const { ask } = program();
    const { code, err } = await ask("search", "(token", "OR");
    expect(code).toBe(2);
    expect(err).toMatch(/^pollux: Invalid query at character 8: .*\n/);
    expect(err).not.toContain("    at ");
  });

  test("reports that nothing was found", async () => {
    const { ask } = program();
    expect((await ask("search", "xyzzy")).out).toBe("No matches for xyzzy.\n");
  });
});

describe("pollux archive", () => {
  test("prints statistics, verifies, compacts, exports and imports", async () => {
    const { ask, archive } = program();
    await ask("keep");
    expect((await ask("archive", "stats")).out).toMatch(/^archive +.*\nfiles +\d+/);
    expect((await ask("archive", "verify")).out).toMatch(/^No problems found: checked \d+ chunks/);
    expect((await ask("archive", "compact")).out).toMatch(/^Compacted from .* to /);
    const file = `${archive}.pollux`;
    expect((await ask("archive", "export", file)).out).toContain("Exported the archive to");
    expect(await ask("archive", "export", file)).toMatchObject({ code: 1, out: "" });
    expect((await ask("archive", "import", file)).out).toMatch(/^0 new files, 0 new versions/);
    expect(await ask("archive", "export")).toMatchObject({ code: 2, out: "" });
  });

  test("verify fails when the archive is damaged", async () => {
    const { ask, archive } = program();
    await ask("keep");
    await ask("archive", "compact");
    const bytes = readFileSync(archive);
    bytes.fill(0x5a, 8192 * 12, 8192 * 16);
    writeFileSync(archive, bytes);
    const { code, out, err } = await ask("archive", "verify");
    expect(code).toBe(1);
    expect(`${out}${err}`).toMatch(/problem|damaged/);
  });
});

describe("pollux forget", () => {
  test("prints the plan first, and forgets only with --yes", async () => {
    const { ask } = program();
    await ask("keep");
    const planned = await ask("forget", LEDGER_ID);
    expect(planned.out).toMatch(/^Would forget: \d+ sessions?/);
    expect(planned.err).toContain("--yes");
    expect(await ask("show", LEDGER_ID, "--json")).toMatchObject({ code: 0 });
    expect((await ask("forget", LEDGER_ID, "--yes")).out).toMatch(/^Forgot: /);
    expect(await ask("show", LEDGER_ID, "--json")).toMatchObject({ code: 3 });
    expect(await ask("forget")).toMatchObject({ code: 2 });
  });
});

describe("a session that was overwritten", () => {
  test("can be restored in its earlier version", async () => {
    const { ask, root } = program();
    await ask("keep");
    const file = join(root, FILE);
    const before = readFileSync(file, "utf8");
    const word = "totals of the ledger";
    const after = before.replace(/"content":\[\{"text":"[^"]+"/, `"content":[{"text":"${word}"`);
    expect(after).not.toBe(before);
    writeFileSync(file, after);
    await ask("keep");
    const listed = await ask("restore", LEDGER_ID, "--versions");
    expect(listed.out.trim().split("\n")).toHaveLength(3);
    const into = join(mkdtempSync(join(tmpdir(), "pollux-into-")), ".gemini");
    const place = ["--into", into, "--project", "/home/ada/projects/ledger"];
    const restored = async (version: string): Promise<string> => {
      const { out, err } = await ask(
        "restore",
        LEDGER_ID,
        "--version",
        version,
        ...place,
        "--json",
      );
      expect(err).toBe("");
      const answer = JSON.parse(out) as { file: string };
      const text = readFileSync(answer.file, "utf8");
      rmSync(into, { recursive: true });
      return text;
    };
    expect(await restored("1")).not.toContain(word);
    expect(await restored("2")).toContain(word);
  });
});

describe("pollux rebuild", () => {
  test("reads all kept sessions again without the original files", async () => {
    const { ask, root } = program();
    await ask("keep");
    const before = await ask("sessions", "--json", "--no-refresh");
    rmSync(join(root, "tmp"), { recursive: true });
    expect((await ask("rebuild")).out).toMatch(/^\d+ sessions rebuilt/);
    expect(await ask("sessions", "--json", "--no-refresh")).toEqual(before);
  });
});

test("doctor and verify report kept bytes that do not match their digest", async () => {
  const { ask, archive } = program();
  await ask("keep");
  const problems = async (): Promise<unknown[]> => {
    const { out } = await ask("doctor", "--json");
    return (JSON.parse(out) as { archive: { problems: unknown[] } }).archive.problems;
  };
  expect(await problems()).toEqual([]);
  const database = new DatabaseSync(archive);
  database.exec("UPDATE chunks SET digest = zeroblob(32) WHERE id = 1");
  database.close();
  expect(await problems()).toMatchObject([{ files: [expect.any(String)] }]);
  const { out } = await ask("doctor");
  expect(out).toContain("does not match its digest");
  expect(out).toMatch(/^damage +1 problem in the archive/m);
  expect((await ask("archive", "verify")).code).toBe(1);
});

describe("pollux hook", () => {
  const settings = (root: string): string => join(root, "settings.json");

  test("prints the settings to add, and writes them only with --write --yes", async () => {
    const { ask, root } = program();
    const printed = await ask("hook", "install");
    expect(JSON.parse(printed.out)).toMatchObject({ hooks: { SessionEnd: [{ hooks: [{}] }] } });
    expect(printed.err).toContain("settings.json");
    writeFileSync(settings(root), '{"theme": "dark", "hooks": {"BeforeTool": []}}');
    expect(await ask("hook", "install", "--write")).toMatchObject({ code: 0 });
    expect(readFileSync(settings(root), "utf8")).not.toContain("keep");
    expect((await ask("hook", "install", "--write", "--yes")).err).toContain("is now in");
    const written = JSON.parse(readFileSync(settings(root), "utf8")) as Record<string, unknown>;
    expect(written).toMatchObject({ theme: "dark", hooks: { BeforeTool: [] } });
    expect(JSON.stringify(written)).toContain("keep --quiet");
    const again = await ask("hook", "install", "--write", "--yes");
    expect(again.err).toContain("already");
    expect(JSON.parse(readFileSync(settings(root), "utf8"))).toEqual(written);
  });

  test("suggests pollux watch if no agent supports hooks", async () => {
    const home = join(import.meta.dirname, "../fixtures/corpora/codex/0.130.0/tools/.codex");
    const { code, err, out } = await run(["hook", "install", "--root", home]);
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toContain("None of the agents found here has settings for the hook.");
    expect(err).toContain("pollux watch");
  });

  test("keeps comments in settings, and can be uninstalled", async () => {
    const { ask, root } = program();
    writeFileSync(settings(root), '// mine\n{"theme": "dark"}\n');
    await ask("hook", "install", "--write", "--yes");
    const text = readFileSync(settings(root), "utf8");
    expect(text).toContain("// mine");
    expect(text).toContain("keep --quiet");
    expect((await ask("hook", "uninstall", "--write", "--yes")).err).toContain("no longer in");
    expect(readFileSync(settings(root), "utf8")).not.toContain("keep --quiet");
  });

  test.each(["{broken", '{"hooks": []}', '{"hooks": {"SessionEnd": 1}}'])(
    "does not change settings that it cannot edit safely: %s",
    async (text) => {
      const { ask, root } = program();
      writeFileSync(settings(root), text);
      const { code, err, out } = await ask("hook", "install", "--write", "--yes");
      expect(code).toBe(1);
      expect(err).toContain("was not changed");
      expect(out).toContain("SessionEnd");
      expect(readFileSync(settings(root), "utf8")).toBe(text);
    },
  );
});

test("watch --demo fails and keeps nothing", async () => {
  const { code, err } = await run(["watch", "--demo"]);
  expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining("needs an archive") });
});
