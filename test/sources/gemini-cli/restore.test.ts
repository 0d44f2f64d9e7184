// @module-tag slow
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { comparable, liveActs } from "../../../scripts/prove-restore/acts.mjs";
import type { RestoreCase } from "../../../scripts/prove-restore/cases.mjs";
import { homeAsOf, homeAt, lateHome, readCases } from "../../../scripts/prove-restore/cases.mjs";
import { open } from "../../../src/library/library.ts";
import type { RestoreAnswer, RestoreOptions } from "../../../src/library/restore.ts";

/**
 * The cases contain what the real program listed and sent when it resumed these sessions
 * (scripts/prove-restore.mjs). Here the same files are made again, without the program.
 */
const cases = readCases();
const homes: string[] = [];
afterAll(() => homes.forEach((home) => rmSync(home, { recursive: true, force: true })));

function newRoot(): string {
  const home = mkdtempSync(join(tmpdir(), "pollux-restore-"));
  homes.push(home);
  return join(home, ".gemini");
}

async function restore(sample: RestoreCase, more: Partial<RestoreOptions>): Promise<RestoreAnswer> {
  const { sessionId, projectPath, forVersion, at, asOf } = sample;
  const root = asOf === undefined ? sample.root : temporary(lateHome(sample.root));
  return await open({ roots: [root] }).restore(sessionId, {
    projectPath,
    ...(asOf === undefined ? {} : { asOfMs: Date.parse(asOf) }),
    ...(forVersion === undefined ? {} : { forVersion }),
    ...(at === undefined ? {} : { at }),
    nowMs: 0,
    ...more,
  });
}

function temporary(root: string): string {
  homes.push(join(root, ".."));
  return root;
}

/** The requested state, made in another way. */
function stateOf({ root, at, asOf }: RestoreCase): string {
  if (at !== undefined) return temporary(homeAt(root, at));
  return asOf === undefined ? root : temporary(homeAsOf(root, asOf));
}

function recordedFile({ folder, proof }: RestoreCase): string {
  const ending = proof?.file.endsWith("l") === true ? ".jsonl" : ".json";
  return readFileSync(join(folder, `restored${ending}`), "utf8");
}

describe("the files that the program resumed", () => {
  test.each(cases)("$name: are made again, byte for byte", async (sample) => {
    const recorded = recordedFile(sample);
    const nowMs = Date.parse(/"lastUpdated": ?"([^"]+)"/.exec(recorded)?.[1] ?? "");
    const answer = await restore(sample, { into: newRoot(), nowMs });
    expect(answer.outcome).toBe("written");
    expect(basename(answer.file)).toBe(sample.proof?.file);
    expect(readFileSync(answer.file, "utf8")).toBe(recorded);
  });

  test.each(cases)(
    "$name: contain what the program remembered, which is all that is live",
    async (sample) => {
      const live = liveActs(await open({ roots: [stateOf(sample)] }).session(sample.sessionId));
      expect(live.length).toBeGreaterThan(1);
      expect(comparable(sample.proof?.sent ?? [])).toEqual(comparable(live));
      expect(sample.proof?.listed).toContain(`[${sample.sessionId}]`);
    },
  );

  test.each(cases)("$name: are found unchanged afterwards", async (sample) => {
    const into = newRoot();
    await restore(sample, { into });
    expect((await restore(sample, { into, nowMs: 86_400_000 })).outcome).toBe("unchanged");
    const again = await open({ roots: [into] }).session(sample.sessionId);
    expect(comparable(liveActs(again))).toEqual(comparable(sample.proof?.sent ?? []));
  });
});

test("sessions of every generation were proved, in every kind of state", async () => {
  const proved = cases.filter(({ proof }) => proof !== undefined);
  expect(proved.length).toBe(cases.length);
  const recorders = new Set(proved.map(({ recordedBy }) => recordedBy));
  const wanted = ["0.6.1", "0.20.2", "0.30.0", "0.38.2", "0.39.1", "0.45.2", "0.61.0"];
  expect([...recorders].toSorted()).toEqual(wanted.toSorted());
  expect(proved.some(({ at }) => at !== undefined)).toBe(true);
  expect(proved.some(({ forVersion }) => forVersion === "0.38")).toBe(true);
});
