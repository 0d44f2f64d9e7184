import type { Evidence, Rule } from "./rule.ts";
import { evidenceOf, MOST_EVIDENCE, UsageSum } from "./rule.ts";

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
        for (const { label, calls, failed, failedIn } of session.work.tools) {
          const tool = tools.get(label) ?? { calls: 0, failed: 0, evidence: [] };
          tools.set(label, tool);
          tool.calls += calls;
          tool.failed += failed;
          for (const messageId of failedIn.slice(0, MOST_EVIDENCE - tool.evidence.length)) {
            tool.evidence.push(evidenceOf(session, messageId, `${label} failed`));
          }
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
