import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { unlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import type { RestoreAnswer, ResumeAnswer } from "../../src/library/restore.ts";
import { LEDGER_ID, smallHome } from "./homes.ts";
import type { Run } from "./run.ts";
import { run } from "./run.ts";

const FILE = "tmp/ledger/chats/session-2026-11-14T09-00-aaaaaaaa.jsonl";
const LINE = `cd /home/ada/ledger && gemini --resume ${LEDGER_ID}`;

const folders: string[] = [];
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

let root = "";
let archive = "";
beforeEach(() => {
  root = smallHome();
  archive = join(mkdtempSync(join(tmpdir(), "pollux-archive-")), "pollux.db");
  folders.push(dirname(root), dirname(archive));
});

async function pollux(args: readonly string[], env: Record<string, string> = {}): Promise<Run> {
  return run([...args, "--root", root, "--archive", archive], { env });
}

/** Keeps the session, then deletes its file as Gemini CLI does. */
async function deleted(): Promise<void> {
  const { code } = await pollux(["keep"]);
  expect(code).toBe(0);
  unlinkSync(join(root, FILE));
}

describe("pollux restore", () => {
  test("reports that a session exists unchanged", async () => {
    const { code, out, err } = await pollux(["restore", LEDGER_ID]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toContain(
      "The agent already has this session in this state. Nothing was restored.",
    );
    expect(out).toContain(LINE);
  });

  test("restores it and prints how to continue and how to prevent deletion", async () => {
    await deleted();
    const { code, out } = await pollux(["restore", "aaaaaaaa-1"]);
    expect(code).toBe(0);
    expect(existsSync(join(root, FILE))).toBe(true);
    expect(out).toMatch(/^Restored\.\n/);
    expect(out).toContain(`Resume it:  ${LINE}`);
    expect(out).toContain("/home/ada/ledger (does not exist)");
    expect(out).toContain("30 days after their last use");
    expect(out).toContain('{"general": {"sessionRetention": {"enabled": false}}}');
    expect(out).toContain("`pollux keep`");
  });

  test("prints the retention settings and their path", async () => {
    const settings = {
      general: { sessionRetention: { enabled: true, maxAge: "2w", maxCount: 5 } },
    };
    writeFileSync(join(root, "settings.json"), JSON.stringify(settings));
    const { out } = await pollux(["restore", LEDGER_ID]);
    expect(out).toContain("14 days after their last use");
    expect(out).toContain("keeps at most 5 sessions per project");
    // A long path may be broken where the line ends.
    expect(out.replaceAll(/\s+/g, "")).toContain(`In${join(root, "settings.json")},`);
  });

  test("reports that nothing will be deleted", async () => {
    const settings = { general: { sessionRetention: { enabled: false } } };
    writeFileSync(join(root, "settings.json"), JSON.stringify(settings));
    const { out } = await pollux(["restore", LEDGER_ID]);
    expect(out).toContain("Gemini CLI is set to delete no sessions, so it will stay.");
    expect(out).not.toContain("pollux keep");
  });

  test("writes nothing with --dry-run, and prints the library's answer with --json", async () => {
    await deleted();
    const { code, out } = await pollux(["restore", LEDGER_ID, "--dry-run", "--json"]);
    const answer = JSON.parse(out) as RestoreAnswer;
    expect(code).toBe(0);
    expect(answer).toMatchObject({ outcome: "would-write", sessionId: LEDGER_ID, root });
    expect(answer.file).toBe(join(root, FILE));
    expect(existsSync(join(root, FILE))).toBe(false);
  });

  test("exits with 1 and suggests options if another state exists", async () => {
    const { code, out } = await pollux(["restore", LEDGER_ID, "--at", "m2"]);
    expect(code).toBe(1);
    expect(out).toContain("The agent has this session in another state.");
    expect(out).toContain("--replace");
    expect(out).toContain("--new-id");
  });

  test("--version selects a version of the session, and elsewhere prints that of Pollux", async () => {
    const before = readFileSync(join(root, FILE), "utf8");
    const replaced = await pollux(["restore", LEDGER_ID, "--at", "m2", "--replace"]);
    expect(replaced.code).toBe(0);
    expect(readFileSync(join(root, FILE), "utf8")).not.toContain("The better answer.");
    const listed = await pollux(["restore", LEDGER_ID, "--versions"]);
    expect(listed.out).toMatch(/VERSION[\s\S]*\n\s+1 /);
    const result = await pollux(["restore", LEDGER_ID, "--versions", "--json"]);
    expect(JSON.parse(result.out)).toMatchObject({
      schemaVersion: 2,
      versions: [{ number: 1 }, {}],
    });
    const back = await pollux(["restore", LEDGER_ID, "--version", "1", "--replace"]);
    expect(back).toMatchObject({ code: 0 });
    expect(readFileSync(join(root, FILE), "utf8")).toContain("The better answer.");
    expect(before).toContain("The better answer.");
    const own = await run(["--version"]);
    expect(own.out).toMatch(/^\d+\.\d+\.\d+/);
  });

  test.each([
    [["--version", "1", "--as-of", "today"], 2, "cannot be combined"],
    [["--version", "zero"], 2, "whole number"],
    [["--replace", "--new-id"], 2, "cannot be combined"],
    [["--as-of", "soon"], 2, "cannot parse"],
    [["--at", "nope"], 3, "no message"],
    [["--version", "99"], 3, "no version 99"],
    [["--for", "new"], 2, "not a version of Gemini CLI"],
  ])("%j exits with %i", async (args, code, words) => {
    const answer = await pollux(["restore", LEDGER_ID, ...args]);
    expect(answer.code).toBe(code);
    expect(answer.err).toContain(words);
    expect(answer.out).toBe("");
  });

  test("exits with 3 for an unknown session", async () => {
    expect((await pollux(["restore", "zzz"])).code).toBe(3);
  });
});

describe("pollux resume", () => {
  test("prints one command line, and warnings to stderr", async () => {
    const { code, out, err } = await pollux(["resume", LEDGER_ID], { PATH: "/nowhere" });
    expect(code).toBe(0);
    expect(out).toBe(`${LINE}\n`);
    expect(err).toContain("/home/ada/ledger does not exist: name another with --project.");
    expect(err).toContain("gemini was not found on your PATH: install it first.");
  });

  test("restores a deleted session only with --yes", async () => {
    await deleted();
    const asked = await pollux(["resume", LEDGER_ID]);
    const where = `--archive ${archive} --root ${root}`;
    expect(asked.out).toBe(`pollux restore ${LEDGER_ID} ${where} && ${LINE}\n`);
    expect(asked.err).toContain("no longer has this session");
    expect(existsSync(join(root, FILE))).toBe(false);
    const run1 = await pollux(["resume", LEDGER_ID, "--run"]);
    expect(run1.code).toBe(1);
    expect(existsSync(join(root, FILE))).toBe(false);
    const said = await pollux(["resume", LEDGER_ID, "--yes"]);
    expect(said.out).toBe(`${LINE}\n`);
    expect(said.err).toContain("Restored ");
    expect(existsSync(join(root, FILE))).toBe(true);
  });

  test("--json has the folder, the command and the restore", async () => {
    const there = JSON.parse((await pollux(["resume", LEDGER_ID, "--json"])).out) as ResumeAnswer;
    expect(there).toEqual({
      schemaVersion: 2,
      sessionId: LEDGER_ID,
      projectPath: "/home/ada/ledger",
      isProjectThere: false,
      command: ["gemini", "--resume", LEDGER_ID],
      restore: null,
    });
    await deleted();
    const gone = JSON.parse((await pollux(["resume", LEDGER_ID, "--json"])).out) as ResumeAnswer;
    expect(gone.restore?.outcome).toBe("would-write");
    const done = JSON.parse((await pollux(["resume", LEDGER_ID, "--json", "--yes"])).out) as object;
    expect(done).toMatchObject({ restore: { outcome: "written", file: join(root, FILE) } });
  });

  test("the printed command passes --into and --for to restore", async () => {
    await deleted();
    const into = join(dirname(root), "other home", ".gemini");
    mkdirSync(into, { recursive: true });
    const { out } = await pollux(["resume", LEDGER_ID, "--into", into, "--for", "0.38"]);
    expect(out).toContain(`pollux restore ${LEDGER_ID} --into '${into}' --for 0.38 `);
  });

  test.skipIf(process.platform === "win32")(
    "--run runs it in the project's directory",
    async () => {
      const bin = mkdtempSync(join(tmpdir(), "pollux-bin-"));
      folders.push(bin);
      const project = join(bin, "my project");
      mkdirSync(project);
      const tell = `printf '%s\\n' "$PWD" "$@" > "${bin}/ran"`;
      const script = `#!/bin/sh\n${tell}\nexit "$(cat "${bin}/code")"\n`;
      writeFileSync(join(bin, "gemini"), script);
      chmodSync(join(bin, "gemini"), 0o755);
      writeFileSync(join(root, "tmp/ledger/.project_root"), project);
      const env = { PATH: `${bin}:${process.env["PATH"] ?? ""}` };
      for (const [ended, code] of [
        ["0", 0],
        ["7", 1],
      ] as const) {
        writeFileSync(join(bin, "code"), ended);
        const answer = await pollux(["resume", LEDGER_ID, "--run"], env);
        expect(answer).toEqual({ code, out: "", err: "" });
        expect(readFileSync(join(bin, "ran"), "utf8")).toBe(`${project}\n--resume\n${LEDGER_ID}\n`);
      }
    },
  );

  test("--run fails with a message if the directory is missing", async () => {
    const answer = await pollux(["resume", LEDGER_ID, "--run"], { PATH: "/nowhere" });
    expect(answer.code).toBe(1);
    expect(answer.err).toContain("does not exist");
  });
});
