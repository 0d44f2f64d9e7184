import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readFiles } from "./read-files.ts";

const FIXTURES = join(import.meta.dirname, "../../fixtures/claude-code");

function read(fixture: string, id: string) {
  const bytes = readFileSync(join(FIXTURES, fixture));
  const messages = readFiles([{ name: `${id}.jsonl`, bytes }]).sessions[0]?.messages ?? [];
  const calls = messages.flatMap(({ toolCalls }) => toolCalls);
  return {
    prompts: messages.filter(({ isPrompt }) => isPrompt).map(({ typed, text }) => typed ?? text),
    agents: calls.filter(({ name }) => name === "Task" || name === "Agent"),
  };
}

describe("the end of a background agent", () => {
  test("is no prompt and names the agent only (real file of 2.0.69)", () => {
    const { prompts, agents } = read(
      "agent-notification.jsonl",
      "aee4d1f7-dc45-48d7-acb4-80778e81722c",
    );
    expect(prompts).toEqual(["B1: helper in the background", "B2: meanwhile", "B5: in print"]);
    expect(agents).toMatchObject([{ outcome: "success", status: "completed" }]);
  });

  test("may be attached while Claude Code is busy (real file of 2.1.215)", () => {
    const { prompts, agents } = read(
      "queued-notifications.jsonl",
      "caf875b0-cd90-40a6-9796-4aeb07fd631d",
    );
    expect(prompts.map((text) => text.slice(0, 2))).toEqual(["S1", "S2", "S3", "S4"]);
    expect(agents.map(({ status }) => status)).toEqual([
      "completed",
      "completed",
      "completed",
      "stopped",
    ]);
    expect(agents[1]?.output).toContain("B done.");
  });
});
