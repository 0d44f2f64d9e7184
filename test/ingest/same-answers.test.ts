import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import type { Library } from "../../src/library/library.ts";
import { open } from "../../src/library/library.ts";
import type { UsageQuery } from "../../src/queries/usage.ts";
import { corpusTrees } from "../corpora/trees.ts";

const folder = mkdtempSync(join(tmpdir(), "pollux-answers-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const NOW_MS = Date.parse("2026-11-16T00:00:00Z");
/** The first instant of a day in Berlin. */
const DAY_MS = Date.parse("2026-11-14T23:00:00Z");

const QUERIES: readonly UsageQuery[] = [
  {},
  { by: ["month"], timezone: "UTC" },
  { by: ["day", "model"], timezone: "Asia/Kathmandu" },
  { by: ["week"], sinceMs: DAY_MS, timezone: "Europe/Berlin" },
  { by: ["kind", "day"], untilMs: DAY_MS, timezone: "Europe/Berlin" },
  { by: ["root"], sinceMs: DAY_MS + 1 },
  { by: ["model"], model: "flash" },
  { by: ["hour"], timezone: "UTC" },
  { by: ["project", "session"] },
  { by: ["tool"] },
  { by: ["session"], subagents: "rolled-up" },
];

async function answers(library: Library): Promise<Record<string, unknown>> {
  const { archive: _safety, atRisk, ...doctor } = library.doctor(NOW_MS);
  const usage = [];
  for (const query of QUERIES) usage.push(await library.usage(query));
  return {
    usage,
    sessions: library.sessions(),
    tools: await library.tools(),
    // Whether something is kept is what the two cannot agree on.
    doctor: { ...doctor, atRisk: atRisk.map(({ isKept: _kept, ...risk }) => risk) },
  };
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) {
    const list = value.map(sorted);
    // Remarks about files come in the order of reading, which is not promised.
    const isRemarks = list.some(
      (one) => typeof one === "object" && one !== null && "severity" in one,
    );
    return isRemarks
      ? list.map((one) => JSON.stringify(one)).toSorted((a, b) => (a < b ? -1 : 1))
      : list;
  }
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, sorted(one)]));
}

describe("every answer from the archive is the one from the disk", () => {
  const surroundings = { homeDir: "/home/ada", env: {} };

  test.each(corpusTrees("gemini-cli").map(({ name, folder: at }) => [name, join(at, ".gemini")]))(
    "for %s",
    async (name, root) => {
      const fresh = sorted(await answers(open({ roots: [root], surroundings })));
      const archive = join(folder, `${name.replace("/", "-")}.db`);
      const wish = { roots: [root], surroundings, archive };
      const first = open(wish);
      expect(sorted(await answers(first))).toEqual(fresh);
      first.archive.close();
      // The second time sums by day are remembered.
      const second = open(wish);
      expect(sorted(await answers(second))).toEqual(fresh);
      second.archive.close();
    },
  );
});
