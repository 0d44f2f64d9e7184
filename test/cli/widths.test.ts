// @module-tag slow
import { describe, expect, test } from "vitest";
import { demoNow } from "../../src/cli/package-folder.ts";
import { widthOf } from "../../src/tui/draw.ts";
import { run } from "./run.ts";

const SESSION = "55844c5c";
const OTHER = "43a6316a";

/** Commands with readable output, run on the demo. */
const COMMANDS = [
  "",
  "usage",
  "usage --by model",
  "usage --by project --budget 10",
  "sessions",
  `show ${SESSION} --tools`,
  `show ${SESSION} --stats`,
  "search postgres",
  "doctor",
  "tools",
  "insights",
  `explain ${SESSION}`,
  "explain 2026-11-05",
  `compare ${SESSION} ${OTHER}`,
  "compare gemini-3-pro-preview claude-opus-5-5",
  "uses --path store.ts",
  "uses --tool Bash",
  "blame src/orders.ts",
  "secrets",
  `resume ${SESSION} --print`,
  `restore ${SESSION} --dry-run`,
  `handover ${SESSION} --to claude --dry-run`,
  "mcp install claude",
  "service install",
  "hook install",
  "archive stats",
  "usage --help",
  "--help",
];

describe.each([44, 60, 80, 120, 200])("on a terminal of %i columns", (columns) => {
  test.each(COMMANDS)("pollux %s fits the width", async (line) => {
    const args = [...line.split(" ").filter((word) => word !== ""), "--demo"];
    const options = { isTerminal: true, columns, now: demoNow(), env: { PAGER: "cat" } };
    const { out, err } = await run(args, options);
    const lines = `${out}\n${err}`.replaceAll(/\x1b\[[\d;]*m/g, "").split("\n");
    expect(lines.filter((text) => widthOf(text) > columns && !isCopied(text))).toEqual([]);
  });
});

/** Paths, ids, commands and file contents are not wrapped, so that they can be copied. */
function isCopied(line: string): boolean {
  return /^ {2}\$ |^ {2}file |[~\w]\/\S{12,}|&&|--\w+ [0-9a-f]{8}|^\w+=|[0-9a-f]{8}-[0-9a-f]{4}|^ {2}\{|^ {2}systemctl/.test(
    line,
  );
}
