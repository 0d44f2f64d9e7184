import type { Root, SessionSummary } from "../src/index.ts";

/** Answers of the server that are not the library's. */
export interface About {
  version: string;
  generation: number;
  roots: Root[];
  /** Names of the programs whose sessions are read. */
  sources: string[];
  now: string;
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

export type { SessionSummary };

/** What a search answers. */
export interface FoundTexts {
  hits: FoundHit[];
  sessions: SessionSummary[];
  total: number;
  tookMs?: number;
}

export interface FoundHit {
  sessionId: string;
  messageId: string | null;
  standing: string;
  role: string;
  snippet: string;
  /** `[start, end)` of what was searched in the snippet. */
  marks: [number, number][];
}
