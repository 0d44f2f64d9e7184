import { describe, expect, test } from "vitest";
import { countRisks, deletionSummary } from "../../src/queries/doctor/deletion.ts";
import type { SessionAtRisk } from "../../src/queries/doctor/retention-risk.ts";

function risk(source: string, isKept: boolean): SessionAtRisk {
  const about = { sessionId: "s", source, project: "p", title: null, updatedAt: null };
  return { ...about, why: "age", daysLeft: 1, files: [], isKept };
}

const NAMES = new Map([
  ["gemini-cli", "Gemini CLI"],
  ["claude-code", "Claude Code"],
]);

describe("the deletion warning", () => {
  test.each([
    [[], 0, "none", "No session is about to be deleted."],
    [[true], 0, "calm", "1 session will be deleted by Gemini CLI; it is archived."],
    [[false], 0, "loud", "1 session will be deleted by Gemini CLI; it is not archived yet."],
    [[true, true], 0, "calm", "2 sessions will be deleted by Gemini CLI; all are archived."],
    [
      [true, false],
      0,
      "loud",
      "2 sessions will be deleted by Gemini CLI; 1 of them is not archived yet.",
    ],
    [[false, false], 0, "loud", "2 sessions will be deleted by Gemini CLI; none is archived yet."],
    [[], 1200, "loud", "1,200 sessions will be deleted by their agents; none is archived yet."],
  ] as const)("%j and %i unseen", (kept, unseen, tone, message) => {
    const risks = kept.map((isKept) => risk("gemini-cli", isKept));
    expect(deletionSummary(countRisks(risks), NAMES, unseen)).toMatchObject({ tone, message });
  });

  test("lists the agents", () => {
    const all = [risk("gemini-cli", true), risk("claude-code", false), risk("claude-code", true)];
    const { agents, message } = deletionSummary(countRisks(all), NAMES);
    expect(agents.map(({ name, sessions, notKept }) => [name, sessions, notKept])).toEqual([
      ["Claude Code", 2, 1],
      ["Gemini CLI", 1, 0],
    ]);
    expect(message).toContain("by Claude Code and Gemini CLI; 1 of them is not archived yet.");
  });
});
