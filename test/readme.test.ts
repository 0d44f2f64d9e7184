import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { main } from "../src/cli/main.ts";
import type { OutStream } from "../src/cli/print/writer.ts";

const readme = readFileSync(join(import.meta.dirname, "..", "README.md"), "utf8");
const shown = /<!-- pollux (.+) -->\n```\n([\s\S]*?)```/.exec(readme);

/** Runs the program with a width of 108 columns and returns its output. */
async function printed(args: readonly string[]): Promise<string> {
  let out = "";
  const stream: OutStream = {
    columns: 108,
    write(text) {
      out += text;
      return true;
    },
    once: () => undefined,
  };
  // Times are printed in the local time zone; the README uses UTC.
  process.env["TZ"] = "UTC";
  const now = new Date("2026-11-14T18:00:00.000Z");
  await main(args, { stdout: stream, stderr: stream, env: {}, now });
  return out;
}

test("the README shows what the program prints", async () => {
  const args = (shown?.[1] ?? "").split(" ");
  expect(args).toContain("--demo");
  expect(shown?.[2]).toBe(await printed(args));
});
