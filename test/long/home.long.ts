import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, expect, test } from "vitest";
import { MB, runMeasured, tellFigure } from "./measured.ts";

/** Writes a realistic home, and what it wrote into `truth.json`. */
const GENERATOR = resolve(import.meta.dirname, "../../../shared/bench/gen.mjs");
const isHere = existsSync(GENERATOR);
const home = mkdtempSync(join(tmpdir(), "pollux-long-home-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));

interface Truth {
  sessions: number;
  toolCalls: number;
  byModel: Record<string, { total: number }>;
}
interface Listed {
  sessions: { tokens: { total: number | null }; toolCalls: { total: number } }[];
}

test.skipIf(isHere)(
  "the generator of homes is not here (../shared/bench): none is measured",
  () => {
    expect(isHere).toBe(false);
  },
);

test.runIf(isHere)("sessions over 1,500 files of 560 MB, below 300 MB", () => {
  execFileSync(process.execPath, [GENERATOR, home, "1500", "7"], { stdio: "ignore" });
  const truth = JSON.parse(readFileSync(join(home, "truth.json"), "utf8")) as Truth;
  const { stdout, peakBytes } = runMeasured(["sessions", "--json", "--root", home]);
  const { sessions } = JSON.parse(stdout) as Listed;
  tellFigure("1,500 files of 560 MB", peakBytes);
  const sum = (numbers: number[]): number => numbers.reduce((all, one) => all + one, 0);
  expect(sessions.length).toBe(truth.sessions);
  expect(sum(sessions.map(({ toolCalls }) => toolCalls.total))).toBe(truth.toolCalls);
  const paid = sum(Object.values(truth.byModel).map(({ total }) => total));
  expect(sum(sessions.map(({ tokens }) => tokens.total ?? 0))).toBe(paid);
  expect(peakBytes).toBeLessThan(300 * MB);
});
