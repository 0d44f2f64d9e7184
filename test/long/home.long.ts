import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { makeHome } from "../../bench/make-home.mjs";
import { MB, runMeasured, printFigure } from "./measured.ts";

const home = mkdtempSync(join(tmpdir(), "pollux-long-home-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));

interface Listed {
  sessions: { tokens: { total: number | null } }[];
}

test("sessions over 3,600 files (more than 500 MB) uses less than 300 MB of memory", () => {
  const truth = makeHome(home, 3600, 7);
  const { stdout, peakBytes } = runMeasured(["sessions", "--json", "--root", home]);
  const { sessions } = JSON.parse(stdout) as Listed;
  printFigure(`3,600 files of ${Math.round(truth.bytes / MB)} MB`, peakBytes);
  const sum = (numbers: number[]): number => numbers.reduce((all, number) => all + number, 0);
  expect(sessions.length).toBe(truth.sessions);
  const paid = sum(Object.values(truth.byModel).map(({ total }) => total ?? 0));
  expect(sum(sessions.map(({ tokens }) => tokens.total ?? 0))).toBe(paid);
  expect(peakBytes).toBeLessThan(300 * MB);
});
