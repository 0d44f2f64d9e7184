import { expect, onTestFinished, test } from "vitest";
import type { SessionUnrecorded, UnrecordedUsage } from "../../src/core/session/session.ts";
import { open } from "../../src/library/library.ts";
import { unrecordedText, unrecordedRows } from "../../src/queries/doctor/unrecorded.ts";
import { committedTrees } from "../corpora/trees.ts";

const counts = {
  shape: "cache-beside-input",
  reasoning: "inside-output",
  input: 100,
  cached: 20,
  output: 5,
} as const;

function usage(more: Partial<UnrecordedUsage> = {}): UnrecordedUsage {
  const from = "cost-state";
  return { model: "claude-haiku-4-5", from, requests: null, counts, costUsd: 0.25, ...more };
}

function session(sessionId: string, ...all: UnrecordedUsage[]): SessionUnrecorded {
  return { source: "claude-code", sessionId, usage: all };
}

test("calls without a record are grouped by agent, model and origin", () => {
  const rows = unrecordedRows([
    session("a", usage(), usage({ model: "claude-opus-5-5", requests: 2, costUsd: null })),
    session("b", usage()),
  ]);
  expect(rows).toMatchObject([
    {
      source: "claude-code",
      model: "claude-haiku-4-5",
      from: "cost-state",
      sessions: 2,
      requests: null,
      tokens: { input: 240, cached: 40, cacheWrite: null, output: 10, thoughts: null, total: 250 },
      costMicroUsd: 500_000,
    },
    { model: "claude-opus-5-5", sessions: 1, requests: 2, costMicroUsd: null },
  ]);
});

test("calls without a record are filtered by model like the sums", () => {
  const all = [session("a", usage(), usage({ model: "claude-opus-5-5" }))];
  expect(unrecordedRows(all, { model: "OPUS" }).map(({ model }) => model)).toEqual([
    "claude-opus-5-5",
  ]);
});

test("notes about calls without a record state the amount, and that no sum includes it", () => {
  expect(unrecordedText([])).toEqual([]);
  const known = unrecordedText(unrecordedRows([session("a", usage({ requests: 3 }))]));
  expect(known).toEqual([
    "Unrecorded calls: 3 calls with 125 tokens are in the agents' own totals, " +
      "but not in the sums here.",
  ]);
  const half = [session("a", usage({ requests: 3 }), usage({ model: "claude-opus-5-5" }))];
  expect(unrecordedText(unrecordedRows(half))[0]).toContain("Unrecorded calls: 250 tokens are");
  const unknown = unrecordedText(unrecordedRows([session("a", usage())]));
  expect(unknown[0]).toContain("Unrecorded calls: 125 tokens are");
});

test("sessions whose agent recorded no usage at all are mentioned in a report of everything", async () => {
  const [tree] = committedTrees("codex").filter(({ name }) => name === "0.20.0/tui-basic");
  const library = open({ roots: [tree?.folder ?? ""] });
  onTestFinished(() => library.close());
  const note = /^1 session file written by versions before 0\.32, which recorded no usage at all/;
  const all = await library.usage({ by: ["agent"] });
  expect(all.totals.requests).toBe(0);
  expect(all.notes).toEqual([expect.stringMatching(note)]);
  expect((await library.usage({ by: ["agent"], source: "codex" })).notes).toEqual(all.notes);
  expect((await library.usage({ by: ["agent"], sinceMs: 0 })).notes).toEqual([]);
});
