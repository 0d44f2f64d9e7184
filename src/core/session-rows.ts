import type { Session, SessionFileRef } from "./session.ts";
import type { SessionSummary } from "./summary.ts";
import type { ToolFact } from "./tool-fact.ts";
import type { UsageFact } from "./usage-fact.ts";

/**
 * All that lists, sums and doctor need of a session, without a word of what was said. A store keeps
 * it as rows.
 */
export interface SessionRows {
  /** `tokens` are those of `usage`; what other sessions own is taken out by the store. */
  summary: SessionSummary;
  session: SessionFacts;
  /** Every paid reply that the session recorded, copies of others' replies included. */
  usage: readonly UsageFact[];
  tools: readonly ToolFact[];
  /** Calls that began another session. */
  agentCalls: readonly { agentId: string; callId: string }[];
}

/** A session without its messages. */
export type SessionFacts = Omit<Session, "messages" | "replies" | "diagnostics">;

/** One session of a list, with what only all sessions together tell. */
export interface SessionRow {
  /** Its tokens are those of the replies that it owns; parent call and title are linked. */
  summary: SessionSummary;
  session: SessionFacts;
}

/** Where a session lies, and what it is called. */
export interface LocatedSession {
  source: string;
  id: string;
  /** The name of its project. */
  project: string;
  title: string | null;
  updatedAt: string | null;
  files: readonly SessionFileRef[];
}

export function locatedOf({ summary, session }: SessionRow): LocatedSession {
  const { source, id, project, title, updatedAt } = summary;
  return { source, id, project: project.name, title, updatedAt, files: session.files };
}
