import type { Session } from "./session.ts";
import type { SessionSummary } from "./summary.ts";
import type { ToolFact } from "./tool-fact.ts";
import type { UsageFact } from "./usage-fact.ts";

/**
 * All that lists, sums and doctor need of a session, without a word of what was said. This is what
 * the archive keeps as rows, and what is left in memory after a session was read from the disk.
 */
export interface Digest {
  summary: SessionSummary;
  session: Omit<Session, "messages" | "diagnostics">;
  usage: UsageFact[];
  tools: ToolFact[];
  /** Calls that began another session. */
  agentCalls: { agentId: string; callId: string }[];
}

/** The same digest with other parts. Parts that are read when asked for stay unread. */
export function withParts(digest: Digest, parts: Partial<Digest>): Digest {
  const same = Object.defineProperties({}, Object.getOwnPropertyDescriptors(digest));
  return Object.defineProperties(same, Object.getOwnPropertyDescriptors(parts)) as Digest;
}
