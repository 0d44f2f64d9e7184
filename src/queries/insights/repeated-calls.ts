import type { Evidence, Rule } from "./rule.ts";
import { evidenceOf, MOST_EVIDENCE, UsageSum } from "./rule.ts";

const THRESHOLD = { times: 3 } as const;

/** Repeated calls, with nothing changed in between. */
export const repeatedCalls: Rule = {
  id: "repeated-calls",
  title: "Repeated calls",
  rule: "The same tool with the same arguments at least 3 times in a session, with no edit in between.",
  threshold: THRESHOLD,
  advice: "Put facts that the agent looks up repeatedly into its instructions.",
  begin() {
    const evidence: Evidence[] = [];
    let count = 0;
    return {
      add(session) {
        for (const { times, messageId, label } of session.work.repeats) {
          if (times < THRESHOLD.times) continue;
          count += times - 1;
          evidence.push(evidenceOf(session, messageId, `${label}, ${times} times`));
        }
      },
      result: () => ({ count, spent: new UsageSum(), evidence: evidence.slice(0, MOST_EVIDENCE) }),
    };
  },
};
