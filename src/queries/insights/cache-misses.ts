import type { Evidence, PricedReply, Rule, WorkedSession } from "./rule.ts";
import { evidenceOf, MOST_EVIDENCE, UsageSum } from "./rule.ts";

const THRESHOLD = { promptTokens: 10_000, cachedPercent: 20, pauseMinutes: 5 } as const;

/** Large prompts after the first of a session that mostly did not come from the cache. */
export const cacheMisses: Rule = {
  id: "cache-misses",
  title: "Cache misses",
  rule:
    "A prompt of at least 10,000 tokens, less than 20 % of it from the cache, after a reply in the " +
    "same session. The likely cause: another model; a pause of more than 5 minutes; else a " +
    "changed context.",
  threshold: THRESHOLD,
  advice:
    "Continue before the cache expires, stay with one model, and change instructions and tools " +
    "between sessions, not within them.",
  begin() {
    const spent = new UsageSum();
    const evidence: Evidence[] = [];
    let undecided = 0;
    return {
      add(session) {
        for (const { reply, cause } of missesIn(session)) {
          if (cause === "undecided") undecided += 1;
          else {
            spent.add(reply);
            if (evidence.length === MOST_EVIDENCE) continue;
            evidence.push(evidenceOf(session, reply.messageId, cause));
          }
        }
      },
      result() {
        const why = "how much came from the cache is not recorded";
        return {
          count: spent.requests,
          spent,
          ...(undecided > 0 ? { undecided: { count: undecided, why } } : {}),
          evidence,
        };
      },
    };
  },
};

function missesIn({ replies }: WorkedSession): { reply: PricedReply; cause: string }[] {
  const conversation = replies.filter(({ purpose }) => purpose === null);
  return conversation.flatMap((reply, at) => {
    const before = conversation[at - 1];
    if (!before || reply.input < THRESHOLD.promptTokens) return [];
    if (reply.cached === null) return [{ reply, cause: "undecided" }];
    if (reply.cached * 100 >= reply.input * THRESHOLD.cachedPercent) return [];
    return [{ reply, cause: causeOf(before, reply) }];
  });
}

function causeOf(before: PricedReply, reply: PricedReply): string {
  if (before.model !== reply.model) return `model switch from ${before.model ?? "unknown"}`;
  const pauseMs = (reply.atMs ?? Number.NaN) - (before.atMs ?? Number.NaN);
  const minutes = Math.floor(pauseMs / 60_000);
  return minutes >= THRESHOLD.pauseMinutes ? `pause of ${lengthOf(minutes)}` : "changed context";
}

/** Rounded down: `117 minutes`, `9 hours`, `2 days`. */
function lengthOf(minutes: number): string {
  if (minutes < 120) return `${minutes} minutes`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} hours` : `${Math.floor(hours / 24)} days`;
}
