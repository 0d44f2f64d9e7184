import type { AgentSummary, Library, Root } from "../src/index.ts";

/** Server answers that do not come from the library. */
export interface About {
  version: string;
  generation: number;
  roots: Root[];
  /** Names of the agents whose sessions are read. */
  sources: string[];
  /** Agents with at least one session. */
  agents: AgentSummary[];
  /** Agents that sessions can be handed over to. */
  takers: { id: string; name: string }[];
  /** Path of the archive. */
  archive: string | null;
  now: string;
  /** Ids that sessions of several agents have. */
  sharedIds: string[];
  /** The team that shares the store; `null` without a team. */
  team: string | null;
  /** The owner of the shown sessions, if it is another person. */
  owner: { subject: string; name: string } | null;
}

/** Sessions that will be lost. */
export interface AtRisk {
  sessions: { source: string; id: string }[];
}

export interface Costs {
  costs: { id: string; costMicroUsd: number | null }[];
}

export interface RawEntries {
  entries: {
    file: string;
    line: number;
    text: string | null;
    isCut: boolean;
  }[];
}

/** The answer to a search. */
export type FoundTexts = Awaited<ReturnType<Library["search"]>>;
export type FoundHit = FoundTexts["hits"][number];

export type Uses = Awaited<ReturnType<Library["review"]["uses"]>>;
export type Blame = Awaited<ReturnType<Library["review"]["blame"]>>;
export type Insights = Awaited<ReturnType<Library["review"]["insights"]>>;
export type AnnotatedThings = Awaited<ReturnType<Library["own"]["list"]>>;
export type Budget = Awaited<ReturnType<Library["review"]["budget"]>>;
export type Comparison = Awaited<ReturnType<Library["review"]["compare"]>>;

/** The current user in a team. */
export interface Me {
  subject: string;
  name: string;
  team: string;
  roles: string[];
  teams: string[];
  devices: TeamMachine[];
  /** Every auditor's look at this user's sessions. */
  looks: { id: number; atMs: number; viewer: string; sessionId: string; reason: string }[];
  /** Sessions that this user has opened to a team, or to everybody. */
  opened: { sessionId: string; team: string | null; atMs: number }[];
  /** People who have opened sessions to this user. */
  owners: { subject: string; name: string; opened: number }[];
}

export interface TeamMachine {
  id: string;
  name: string;
  expiresMs: number;
  seenMs?: number;
  revokedMs?: number;
}

export interface TeamPerson {
  id: number;
  subject: string;
  name: string;
  roles: string[];
  teams: string[];
  leftMs?: number;
  devices: TeamMachine[];
  sessions: number;
}

export interface TeamState {
  unread: number;
  remarks: string[];
  policy: {
    level: string;
    mayLower: boolean;
    masked: boolean;
    retentionDays?: number;
    conversationDays?: number;
  };
}

/** What was erased, or removed after its term. */
export interface TeamReceipt {
  id: number;
  atMs: number;
  kind: "erasure" | "retention";
  counts: Record<string, number>;
}
