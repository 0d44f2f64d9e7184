import type { Evidence, Rule } from "./rule.ts";
import { callsOf, evidenceOf, MOST_EVIDENCE, UsageSum } from "./rule.ts";

const THRESHOLD = { calls: 5, percent: 20 } as const;

interface Tool {
  calls: number;
  failed: number;
  evidence: Evidence[];
}

/** Tools that fail often: the request that reads each failure costs money. */
export const failedCalls: Rule = {
  id: "failed-calls",
  title: "Tools that fail often",
  rule: "A tool that was called at least 5 times, with at least 20 % of the calls failing.",
  threshold: THRESHOLD,
  advice: "Explain in the agent's instructions how to call the tool, or disable it.",
  begin() {
    const tools = new Map<string, Tool>();
    return {
      add(session) {
        for (const { messageId, call } of callsOf(session)) {
          const tool = tools.get(call.label) ?? { calls: 0, failed: 0, evidence: [] };
          tools.set(call.label, tool);
          tool.calls += 1;
          if (call.outcome !== "error") continue;
          tool.failed += 1;
          tool.evidence.push(evidenceOf(session, messageId, `${call.label} failed`));
        }
      },
      result() {
        const often = [...tools.values()].filter(({ calls, failed }) => {
          return calls >= THRESHOLD.calls && failed * 100 >= calls * THRESHOLD.percent;
        });
        const evidence = often
          .toSorted((a, b) => b.failed - a.failed)
          .flatMap((tool) => tool.evidence);
        const count = often.reduce((sum, { failed }) => sum + failed, 0);
        return { count, spent: new UsageSum(), evidence: evidence.slice(0, MOST_EVIDENCE) };
      },
    };
  },
};
