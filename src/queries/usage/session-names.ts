import type { UsageBuckets } from "../../core/usage/usage-fact.ts";

/**
 * Names the sessions of buckets, whose keys are `source:id`: by id, and with the agent only if
 * sessions of two agents have the same id, as on the command line.
 */
export function sessionNamer(buckets: UsageBuckets["buckets"], level: number): Namer {
  const keys = new Set(buckets.map(({ groups }) => groups[level]?.key ?? ""));
  const [seen, shared] = [new Set<string>(), new Set<string>()];
  for (const key of keys) (seen.has(idIn(key)) ? shared : seen).add(idIn(key));
  return (key) => (shared.has(idIn(key)) ? key : idIn(key));
}

export type Namer = (key: string) => string;

/** Names of agents have no colon. */
export function idIn(key: string): string {
  return key.slice(key.indexOf(":") + 1);
}

/** The cost of a session, from a list with the keys of buckets. */
export function costOfSession(
  costs: ReadonlyMap<string, number | null>,
  { source, id }: { source: string; id: string },
): number | null | undefined {
  return costs.get(`${source}:${id}`);
}
