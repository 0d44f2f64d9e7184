import { expect, test } from "vitest";
import type { SessionUnrecorded, UnrecordedUsage } from "../../src/core/session/session.ts";
import { unrecordedText, unrecordedRows } from "../../src/queries/doctor/unrecorded.ts";

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
  return { source: "claude-code", sessionId, project: "ledger", usage: all };
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
