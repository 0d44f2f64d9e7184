import type { Evidence, RunningRule, Rule } from "./rule.ts";
import { evidenceOf, MOST_EVIDENCE, UsageSum } from "./rule.ts";

/** Replies that were paid for and then rewound. */
export const rewoundWork: Rule = {
  id: "rewound-work",
  title: "Rewound work",
  rule: "Every paid reply that the user discarded by rewinding, branching or rolling back.",
  threshold: { replies: 1 },
  advice: "Ask for smaller steps, or use plan mode first: less work is lost when you go back.",
  begin: () => lookFor("rewound", "was rewound"),
};

/** Usage of the requests that compressed the context. */
export const compressedWork: Rule = {
  id: "compressed-work",
  title: "Compressed conversations",
  rule: "Every compression of a conversation, and the requests that were made for it.",
  threshold: { compressions: 1 },
  advice: "Start a new session for a new task: a compressed one continues from a summary.",
  begin() {
    const spent = new UsageSum();
    const evidence: Evidence[] = [];
    let count = 0;
    let unpaid = 0;
    return {
      add(session) {
        const { compressions } = session.work;
        count += compressions.length;
        for (const { messageId, how } of compressions) {
          evidence.push(evidenceOf(session, messageId, `compressed (${how})`));
        }
        const paid = session.replies.filter(({ purpose }) => purpose === "compression");
        for (const reply of paid) spent.add(reply);
        unpaid += Math.max(0, compressions.length - paid.length);
      },
      result() {
        const why = "the request that made the summary is not recorded";
        return {
          count,
          spent,
          ...(unpaid > 0 ? { undecided: { count: unpaid, why } } : {}),
          evidence: evidence.slice(0, MOST_EVIDENCE),
        };
      },
    };
  },
};

function lookFor(standing: "rewound", what: string): RunningRule {
  const spent = new UsageSum();
  const evidence: Evidence[] = [];
  return {
    add(session) {
      for (const reply of session.replies.filter((each) => each.standing === standing)) {
        spent.add(reply);
        evidence.push(evidenceOf(session, reply.messageId, what));
      }
    },
    result: () => ({ count: spent.requests, spent, evidence: evidence.slice(0, MOST_EVIDENCE) }),
  };
}
