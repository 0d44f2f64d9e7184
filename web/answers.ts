import type { AgentSummary, Library, Root } from "../src/index.ts";

/** Answers of the server that are not the library's. */
export interface About {
  version: string;
  generation: number;
  roots: Root[];
  /** Names of the programs whose sessions are read. */
  sources: string[];
  /** Those of which there is any session. */
  agents: AgentSummary[];
  /** Those that can go on with a session of another. */
  takers: { id: string; name: string }[];
  /** Where everything is kept. */
  archive: string | null;
  now: string;
  /** The team that shares it; nobody does without one. */
  team: string | null;
  /** Whose sessions these are, when they are somebody else's. */
  owner: { subject: string; name: string } | null;
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

/** What a search answers. */
export type FoundTexts = Awaited<ReturnType<Library["search"]>>;
export type FoundHit = FoundTexts["hits"][number];

export type Uses = Awaited<ReturnType<Library["review"]["uses"]>>;
export type Blame = Awaited<ReturnType<Library["review"]["blame"]>>;
export type Insights = Awaited<ReturnType<Library["review"]["insights"]>>;
export type OwnThings = Awaited<ReturnType<Library["own"]["list"]>>;
export type Budget = Awaited<ReturnType<Library["review"]["budget"]>>;
export type Comparison = Awaited<ReturnType<Library["review"]["compare"]>>;

/** Oneself in a team. */
export interface Me {
  subject: string;
  name: string;
  team: string;
  roles: string[];
  teams: string[];
  devices: TeamMachine[];
  /** Every look of an auditor at one's sessions. */
  looks: { id: number; atMs: number; viewer: string; sessionId: string; reason: string }[];
  /** Sessions that one has opened to a team, or to everybody. */
  opened: { sessionId: string; team: string | null; atMs: number }[];
  /** Those who have opened sessions to oneself. */
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
  policy: { level: string; mayLower: boolean; masked: boolean; retentionDays?: number };
}
