import type { Evidence, Rule } from "./rule.ts";
import { evidenceOf, MOST_EVIDENCE, UsageSum } from "./rule.ts";

const THRESHOLD = { promptTokens: 100_000, times: 5 } as const;

/** Long conversations: every further request carries the whole history. */
export const contextGrowth: Rule = {
  id: "context-growth",
  title: "Conversations that grew large",
  rule:
    "A session whose prompt grew to at least 100,000 tokens and 5 times its first one. Counts " +
    "the requests from that point on.",
  threshold: THRESHOLD,
  advice: "Start a new session when the task changes, and keep long outputs in files.",
  begin() {
    const spent = new UsageSum();
    const found: (Evidence & { input: number })[] = [];
    return {
      add(session) {
        const replies = session.replies.filter(({ purpose }) => purpose === null);
        const [first] = replies;
        const isLarge = ({ input }: { input: number }): boolean =>
          input >= Math.max(THRESHOLD.promptTokens, (first?.input ?? 0) * THRESHOLD.times);
        const large = replies.filter(isLarge);
        for (const reply of large) spent.add(reply);
        const [begin] = large;
        if (!begin) return;
        const most = large.reduce((top, { input }) => Math.max(top, input), 0);
        const what = `from ${first?.input ?? 0} to ${most} tokens`;
        found.push({ ...evidenceOf(session, begin.messageId, what), input: most });
      },
      result() {
        const top = found.toSorted((a, b) => b.input - a.input).slice(0, MOST_EVIDENCE);
        const evidence = top.map(({ input: _tokens, ...place }) => place);
        return { count: found.length, spent, evidence };
      },
    };
  },
};
