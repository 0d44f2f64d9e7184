import { addAll } from "../../core/lists.ts";
import type { Evidence, Rule, WorkedSession } from "./rule.ts";
import { callsOf, evidenceOf, MOST_EVIDENCE, UsageSum } from "./rule.ts";

const THRESHOLD = { times: 3 } as const;
/** Tools whose repeats are wasteful; asking for the state of a plan or process again is not. */
const MEANT = new Set(["Read", "Search", "Fetch", "Execute", "Mcp"]);

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
        for (const { times, messageId, label } of repeatsIn(session)) {
          count += times - 1;
          evidence.push(evidenceOf(session, messageId, `${label}, ${times} times`));
        }
      },
      result: () => ({ count, spent: new UsageSum(), evidence: evidence.slice(0, MOST_EVIDENCE) }),
    };
  },
};

interface Repeat {
  times: number;
  messageId: string;
  label: string;
}

function repeatsIn(session: WorkedSession): Repeat[] {
  const found: Repeat[] = [];
  let since = new Map<string, Repeat>();
  const end = (): void => {
    addAll(
      found,
      [...since.values()].filter(({ times }) => times >= THRESHOLD.times),
    );
    since = new Map();
  };
  for (const { messageId, call } of callsOf(session)) {
    if (call.category === "Edit") end();
    if (!MEANT.has(call.category)) continue;
    const key = JSON.stringify([call.name, call.args]);
    const repeat = since.get(key) ?? { times: 0, messageId, label: call.label };
    since.set(key, { ...repeat, times: repeat.times + 1 });
  }
  end();
  return found;
}
