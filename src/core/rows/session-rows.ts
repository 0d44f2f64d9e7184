import type { Session, SessionFileRef } from "../session/session.ts";
import type { SessionSummary } from "./summary.ts";
import type { ToolFact } from "./tool-fact.ts";
import type { UsageFact } from "../usage/usage-fact.ts";

/**
 * Everything that lists, sums and the doctor need of a session, without its text. Stores keep it as
 * rows.
 */
export interface SessionRows {
  /** `tokens` is the sum of `usage`; the store subtracts replies that other sessions own. */
  summary: SessionSummary;
  session: SessionFacts;
  /** Every paid reply that the session recorded, including copies of other sessions' replies. */
  usage: readonly UsageFact[];
  tools: readonly ToolFact[];
  /** Calls that started another session. */
  agentCalls: readonly { agentId: string; callId: string }[];
}

/** A session without its messages. */
export type SessionFacts = Omit<Session, "messages" | "replies" | "diagnostics">;

/** A session in a list, with the fields that depend on all other sessions. */
export interface SessionRow {
  /** `tokens` covers the replies that the session owns; parent call and title are linked. */
  summary: SessionSummary;
  session: SessionFacts;
}

/** The files of a session, and what it is called. */
export interface SessionLocation {
  source: string;
  id: string;
  kind: SessionSummary["kind"];
  /** The name of its project. */
  project: string;
  title: string | null;
  updatedAt: string | null;
  files: readonly SessionFileRef[];
}

export function locatedOf({ summary, session }: SessionRow): SessionLocation {
  const { source, id, kind, project, title, updatedAt } = summary;
  return { source, id, kind, project: project.name, title, updatedAt, files: session.files };
}
