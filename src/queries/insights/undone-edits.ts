import type { Evidence, Rule } from "./rule.ts";
import { evidenceOf, MOST_EVIDENCE, UsageSum } from "./rule.ts";

const THRESHOLD = { edits: 1 } as const;

/** Edits that a later edit of the same session reverted. */
export const undoneEdits: Rule = {
  id: "undone-edits",
  title: "Undone edits",
  rule: "An edit that a later edit of the same file in the same session reverted exactly.",
  threshold: THRESHOLD,
  advice: "Ask for a plan first, or state in advance what must not change.",
  begin() {
    const evidence: Evidence[] = [];
    let count = 0;
    return {
      add(session) {
        for (const { messageId, path } of session.work.undone) {
          count += 1;
          evidence.push(evidenceOf(session, messageId, `${path} was changed and changed back`));
        }
      },
      result: () => ({ count, spent: new UsageSum(), evidence: evidence.slice(0, MOST_EVIDENCE) }),
    };
  },
};
