// @module-tag slow
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { SIZES } from "../../scripts/prove-terminal/sizes.mjs";
import { withoutClock } from "../../scripts/prove-terminal/tmux.mjs";
import { widthOf } from "../../src/tui/draw.ts";
import { MISSING, Tmux } from "./tmux.ts";

/** Screens of a real terminal, captured by `scripts/prove-terminal.mjs`. */
const FOLDER = join(import.meta.dirname, "..", "fixtures", "terminal");
const NAMES = readdirSync(FOLDER).filter((name) => name.endsWith(".txt"));

function captured(name: string): string {
  return readFileSync(join(FOLDER, `${name}.txt`), "utf8");
}

describe("captured screens", () => {
  test("exist for keys, sizes, many sessions and a slow store", () => {
    const acts = new Set(NAMES.map((name) => name.split("-")[0]));
    expect(acts).toEqual(new Set(["keys", "many", "size", "slow"]));
  });

  test.each(NAMES)("%s fills its window, from the title line to the key line", (name) => {
    const [, columns, rows] = /-(\d+)x(\d+)\.txt$/.exec(name) ?? [];
    const lines = captured(name.slice(0, -4)).trimEnd().split("\n");
    expect(lines).toHaveLength(Number(rows));
    for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(Number(columns));
    expect(lines[0]).toMatch(/^ Pollux .*\[[\w ]+\]/);
    expect(lines[1]).toBe("─".repeat(Number(columns)));
    expect(lines.at(-1)).toMatch(/\? keys|Esc back/);
    expect(lines.join("\n")).not.toMatch(/\bundefined\b|\bNaN\b|\[object|\x1b/);
  });

  test('show only "reading …" while a slow store has not answered', () => {
    const waiting = captured("slow-waiting-100x30");
    expect(waiting.match(/reading …/g)?.length).toBeGreaterThanOrEqual(7);
    expect(waiting).not.toMatch(/nothing|\bno\b|none|\$|\b0 /);
    expect(captured("slow-answered-100x30")).toMatch(/\$\d[^]*51 sessions archived/);
  });

  test("have full panels and the end of the list with 50,000 sessions", () => {
    const home = captured("many-all-120x40");
    expect(home).toMatch(/in 50,000 sessions[^]*50,000 active[^]*50,000 sessions archived/);
    expect(home).not.toMatch(/nothing|\bno \w+ since|reading …/);
    expect(captured("many-end-120x40")).toMatch(/ ([\d,]{5,}) of \1$/m);
    const { longestWaitMs } = JSON.parse(readFileSync(join(FOLDER, "many.json"), "utf8")) as {
      longestWaitMs: number;
    };
    expect(longestWaitMs).toBeLessThan(500);
  });
});

describe.skipIf(MISSING !== undefined)(`current screens [${MISSING ?? "in tmux"}]`, () => {
  test.each(SIZES)("$columns × $rows equal the captured ones", async ({ columns, rows }) => {
    const wanted = captured(`size-${columns}x${rows}`);
    const tmux = new Tmux("--demo", { columns, rows });
    const shown = await tmux.shows((screen) => withoutClock(screen) === wanted);
    expect(withoutClock(shown)).toBe(wanted);
  });

  test("a resized window shows the same as a new one of that size", async () => {
    const tmux = new Tmux("--demo", { columns: 120, rows: 30 });
    for (const { columns, rows } of [...SIZES, ...SIZES.toReversed()]) {
      tmux.resize(columns, rows);
      const wanted = captured(`size-${columns}x${rows}`);
      const shown = await tmux.shows((screen) => withoutClock(screen) === wanted);
      expect(withoutClock(shown)).toBe(wanted);
    }
  });
});
