import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { smallHome } from "./homes.ts";
import type { Run } from "./run.ts";
import { run } from "./run.ts";

/** Runs the program on a home that contains a pipe. */
function program(name: string): {
  root: string;
  pipe: string;
  ask: (...args: string[]) => Promise<Run>;
} {
  const folder = mkdtempSync(join(tmpdir(), "pollux-pipe-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const root = smallHome();
  const pipe = join(root, name);
  execFileSync("mkfifo", [pipe]);
  const archive = join(folder, "archive.db");
  return { root, pipe, ask: (...args) => run([...args, "--root", root, "--archive", archive]) };
}

// Opening a pipe would block: on failure these tests hang.
describe.skipIf(process.platform === "win32")("settings that are a pipe (needs mkfifo)", () => {
  test("are neither opened nor replaced by hook install; keep and doctor still work", async () => {
    const { ask, pipe } = program("settings.json");
    const refused = await ask("hook", "install", "--write", "--yes");
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining("not a regular file")]);
    expect(statSync(pipe).isFIFO()).toBe(true);
    expect((await ask("keep")).code).toBe(0);
    expect((await ask("doctor")).code).toBe(0);
  });
});

describe.skipIf(process.platform === "win32")("a pipe given as an argument (needs mkfifo)", () => {
  const refusals: [string, (pipe: string) => string[]][] = [
    ["as an archive to import", (pipe) => ["archive", "import", pipe]],
    ["as prices", (pipe) => ["usage", "--prices", pipe]],
    ["as a signature and a key", (pipe) => ["verify", pipe, "--key", pipe]],
    ["as a key", (pipe) => ["sign", import.meta.filename, "--key", pipe, "--issuer", "ada"]],
  ];
  test.each(refusals)("%s is rejected without opening it", async (_as, lineOf) => {
    const { ask, pipe } = program("pipe");
    const { code, err } = await ask(...lineOf(pipe));
    expect(code).not.toBe(0);
    expect(err).toMatch(/^pollux: .*(is not a regular file|ENOTFILE)/);
  });

  test("as the archive is rejected without opening it", async () => {
    const { root, pipe } = program("pipe");
    const { code, err } = await run(["keep", "--root", root, "--archive", pipe]);
    expect([code, err]).toEqual([1, expect.stringContaining("is not a regular file")]);
  });
});
