import { createContext } from "preact";
import type { Explanation } from "../../src/index.ts";

/** The costs of the replies of the shown session, including its subagents. */
export const Explained = createContext<Explanation | undefined>(undefined);

export interface OwnSums {
  tokens: number;
  costMicroUsd: number | null;
  requests: number;
}

/** The sums of one session in an explanation: of a subagent, or of the session without them. */
export function sumsOf(explained: Explanation | undefined, sessionId: string): OwnSums | undefined {
  const own = explained?.requests.filter((request) => request.sessionId === sessionId) ?? [];
  if (own.length === 0) return undefined;
  const known = own.flatMap(({ costMicroUsd }) => costMicroUsd ?? []);
  return {
    tokens: own.reduce((sum, { tokens }) => sum + tokens.total, 0),
    costMicroUsd: known.length === 0 ? null : known.reduce((sum, cost) => sum + cost, 0),
    requests: own.length,
  };
}
