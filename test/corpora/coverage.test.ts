// @module-tag slow
import { expect, test } from "vitest";
import { open } from "../../src/index.ts";
import type { AgentId } from "./trees.ts";
import { corpusTrees } from "./trees.ts";

const AGENTS: AgentId[] = ["gemini-cli", "claude-code", "codex", "qwen-code"];

test.each(AGENTS)("every session file of %s is read or has a remark", async (agent) => {
  for (const { name, roots } of corpusTrees<AgentId>(agent)) {
    const fresh = open({ roots, refresh: "fresh" });
    const quick = open({ roots });
    const { coverage } = await fresh.sessions({ limit: 1 });
    const remarked = new Set(coverage.diagnostics.map(({ file }) => file));
    expect(coverage.files - coverage.read, name).toBeLessThanOrEqual(remarked.size);
    const sums = await quick.usage();
    expect([sums.coverage.files, sums.coverage.read], name).toEqual([
      coverage.files,
      coverage.read,
    ]);
  }
});
