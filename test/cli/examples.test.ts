// @module-tag slow
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { commands } from "../../src/cli/commands/index.ts";
import { demoNow } from "../../src/cli/package-folder.ts";
import { EXAMPLES } from "../../src/cli/program.ts";
import { run } from "./run.ts";

/** Examples that cannot run on the demo, with the reason. All others are run. */
const ELSEWHERE: readonly (readonly [lines: RegExp, why: string])[] = [
  [/^(serve|watch|mcp --demo|mcp$)/, "runs until it is stopped"],
  [/^(restore|handover --undo|resume .*--run|archive pull)/, "needs what is gone or elsewhere"],
  [/^sessions --tag/, "asks for a tag that was put before"],
  [/--archive/, "names an archive of its own"],
  [/^sync/, "speaks to a server"],
  [/^(hook|service|mcp)/, "writes into settings of this machine"],
  [/^(handover (?!.*--dry-run))/, "writes into the folder of an agent"],
  [/^team/, "works on a database"],
  [/^conformance/, "reads a kit, which lies in the repository"],
  [/^(sign|verify)/, "needs a record and keys that were made before"],
  [/--root/, "names a folder of its own"],
  [/^record --invert/, "needs a record that was made before"],
];

/** Examples that need an archive. They run with an archive of the demo. */
const KEPT = /^(archive|forget|keep|rebuild|tag|note|star|title)/;

const before = process.cwd();
beforeAll(async () => {
  process.chdir(mkdtempSync(join(tmpdir(), "pollux-examples-")));
  await run(["keep", "--demo", "--archive", "demo.db"], { now: demoNow(), env: {} });
});
afterAll(() => process.chdir(before));

/** Splits a line like a shell, without redirections. */
function argsOf(line: string): string[] {
  const [typed = ""] = line.split(/ >>? /);
  return [...typed.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? "");
}

const listed = await Promise.all(
  commands.map(async ({ load }) => (await load()).command.examples.map(({ line }) => line)),
);
const lines = [...new Set([...EXAMPLES.map(({ line }) => line), ...listed.flat()])];
const shown = lines.filter((line) => !ELSEWHERE.some(([wanted]) => wanted.test(line)));

describe("examples in help texts, run on the demo,", () => {
  test("are more than 50, and every exception is used", () => {
    expect(shown.length).toBeGreaterThan(50);
    const idle = ELSEWHERE.filter(([wanted]) => !lines.some((line) => wanted.test(line)));
    expect(idle).toEqual([]);
  });

  test.each(shown)("succeed with output: pollux %s", async (line) => {
    const args = argsOf(line);
    const kept = KEPT.test(line) ? ["--archive", "demo.db"] : [];
    const demo = [...(args.includes("--demo") ? [] : ["--demo"]), ...kept];
    const { code, out, err } = await run([...args, ...demo], { now: demoNow(), env: {} });
    expect(code, err).toBe(0);
    expect(out + err).not.toMatch(
      /Nothing matches|No (matches|uses|sessions) found|No matches for/,
    );
  });
});
