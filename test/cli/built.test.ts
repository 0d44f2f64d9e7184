// @module-tag slow
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { version } from "../../src/cli/version.ts";
import * as api from "../../src/index.ts";
import { smallHome } from "./homes.ts";
import { lines, makeRoot } from "./run.ts";

const dist = fileURLToPath(new URL("../../dist/", import.meta.url));
const program = `${dist}pollux.js`;

interface Ended {
  status: number | null;
  stdout: string;
  stderr: string;
}

function shell(line: string, env: Record<string, string> = {}): Ended {
  const inherited = { PATH: process.env["PATH"] ?? "", HOME: process.env["HOME"] ?? "" };
  const { status, stdout, stderr } = spawnSync("bash", ["-o", "pipefail", "-c", line], {
    encoding: "utf8",
    env: { ...inherited, POLLUX: program, NODE: process.execPath, ...env },
  });
  return { status, stdout, stderr };
}

function longHome(): string {
  const at = "2026-11-14T09:00:00.000Z";
  const content = "many words ".repeat(200);
  const replies = Array.from({ length: 2000 }, (_, n) => {
    return { id: `m${n}`, timestamp: at, type: "gemini", content, model: "gemini-2.5-pro" };
  });
  const header = {
    sessionId: "long",
    projectHash: "h",
    startTime: at,
    lastUpdated: at,
    kind: "main",
  };
  return makeRoot({ "tmp/x/chats/session-2026-11-14T09-00-long.jsonl": lines(header, ...replies) });
}

// `npm test` builds before it tests; a single file run by hand may come before any build.
describe.skipIf(!existsSync(program))("the built program", () => {
  it("is executable and prints its version", () => {
    expect(readFileSync(program, "utf8")).toMatch(/^#!\/usr\/bin\/env node\n/);
    expect(statSync(program).mode & 0o111).not.toBe(0);
    const expected = { status: 0, stdout: `${version}\n`, stderr: "" };
    expect(shell('"$NODE" "$POLLUX" --version')).toEqual(expected);
  });

  it("prints its version without loading any other file", () => {
    const entry = readFileSync(program, "utf8");
    expect(entry.length).toBeLessThan(2000);
    expect(entry).not.toMatch(/\bimport[^(]*["'`]/);
  });

  it("gives the same answer from compiled code, also if that is damaged", () => {
    const home = mkdtempSync(join(tmpdir(), "pollux-compiled-"));
    const usage = (): Ended => shell('"$NODE" "$POLLUX" usage --demo --json', { HOME: home });
    const expected = usage();
    expect(expected).toMatchObject({ status: 0, stderr: "" });
    const cache = join(home, ".cache", "pollux", "compiled");
    const files = readdirSync(cache, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    expect(files.length).toBeGreaterThan(1);
    expect(usage()).toEqual(expected);
    for (const { parentPath, name } of files) {
      const path = join(parentPath, name);
      const bytes = readFileSync(path);
      const at = Math.floor(bytes.length / 2);
      bytes[at] = ~(bytes[at] ?? 0);
      writeFileSync(path, bytes);
    }
    expect(usage()).toEqual(expected);
    rmSync(home, { recursive: true, force: true });
  });

  it("can be imported as a library", () => {
    const script = "import(process.argv[1]).then((all) => console.log(Object.keys(all).join()))";
    const { stdout, stderr } = shell(`"$NODE" -e '${script}' "${dist}index.js"`);
    expect({ stderr, names: stdout.trim().split(",").toSorted() }).toEqual({
      stderr: "",
      names: Object.keys(api).toSorted(),
    });
  });

  it.each(["", "sessions", "usage", "keep", "search word"])(
    "prints where it looked when there are no sessions: %s",
    (command) => {
      const home = mkdtempSync(join(tmpdir(), "pollux-empty-"));
      const { status, stdout } = shell(`"$NODE" "$POLLUX" ${command}`, { HOME: home });
      expect(status).toBe(0);
      expect(stdout).toContain(join(home, ".gemini"));
      expect(stdout).toContain("--demo");
      // The folder of the agent is not created.
      expect(existsSync(join(home, ".gemini"))).toBe(false);
      rmSync(home, { recursive: true, force: true });
    },
  );

  it("prints a hook without a home folder of the agent, and does not create it", () => {
    const home = mkdtempSync(join(tmpdir(), "pollux-empty-"));
    const install = '"$NODE" "$POLLUX" hook install --json';
    const planned = shell(install, { HOME: home });
    expect(planned.status).toBe(0);
    const { settings } = JSON.parse(planned.stdout) as { settings: { snippet: string }[] };
    expect(settings.length).toBeGreaterThan(1);
    for (const { snippet } of settings) {
      expect(JSON.parse(snippet)).toMatchObject({ hooks: { SessionEnd: [{}] } });
    }
    const refused = shell(`${install} --write --yes`, { HOME: home });
    expect(refused.status).toBe(1);
    expect(refused.stdout).toContain("its folder does not exist yet");
    expect(existsSync(join(home, ".gemini"))).toBe(false);
    rmSync(home, { recursive: true, force: true });
  });

  it("lists the sessions of a root", () => {
    const { status, stdout } = shell('"$NODE" "$POLLUX" list --json --root "$ROOT"', {
      ROOT: smallHome(),
    });
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ sessions: [{}, {}, {}], coverage: { files: 3 } });
  });

  it("finds the demo", () => {
    const { status, stdout } = shell('"$NODE" "$POLLUX" sessions --demo --json --limit 20');
    expect(status).toBe(0);
    const answer: { sessions: unknown[] } = JSON.parse(stdout);
    expect(answer.sessions.length).toBe(20);
  });

  it("ends without an error when its output pipe is closed", () => {
    const env = { ROOT: longHome() };
    for (const args of ["show long", "show long --json"]) {
      const ended = shell(`"$NODE" "$POLLUX" ${args} --root "$ROOT" | head -n 1`, env);
      expect({ status: ended.status, stderr: ended.stderr }).toEqual({ status: 0, stderr: "" });
      expect(ended.stdout.split("\n").length).toBe(2);
    }
  });

  it.skipIf(spawnSync("script", ["--version"]).status !== 0)("pages only on a terminal", () => {
    const env = { ROOT: smallHome(), PAGER: "cat -n", TERM: "xterm" };
    const line = '"$NODE" "$POLLUX" show latest --root "$ROOT"';
    const terminal = `script -qec '${line}' /dev/null < /dev/null`;
    expect(shell(terminal, env).stdout).toMatch(/^ +1\t/);
    expect(shell(terminal.replace("show", "show --no-pager"), env).stdout).not.toMatch(/^ +1\t/);
    expect(shell(line, env).stdout).not.toMatch(/^ +1\t/);
    // LESSCHARSET is set to UTF-8 unless the user sets it.
    const paged = { ...env, PAGER: "printenv LESSCHARSET" };
    expect(shell(terminal, paged).stdout).toMatch(/^utf-8\r?\n/);
    expect(shell(terminal, { ...paged, LESSCHARSET: "latin1" }).stdout).toMatch(/^latin1\r?\n/);
    // Without the pager the text is printed directly.
    expect(shell(terminal, { ...env, PAGER: "no-such-pager" }).stdout).toContain(
      "Count the loaves",
    );
  });

  it("exports its library and types", () => {
    const code = `import { open, PolluxError } from "${dist}index.js";
      const { sessions } = await open({ roots: [process.env.ROOT] }).sessions();
      console.log(sessions.length, typeof PolluxError);`;
    const env = { ROOT: smallHome(), CODE: code };
    expect(shell('"$NODE" --input-type=module -e "$CODE"', env).stdout).toBe("3 function\n");
    expect(existsSync(`${dist}types/index.d.ts`)).toBe(true);
  });

  it("lists its bundled packages", () => {
    expect(readFileSync(`${dist}THIRD-PARTY-NOTICES.txt`, "utf8")).toContain(
      "commander 14.0.3 (MIT)",
    );
  });
});
