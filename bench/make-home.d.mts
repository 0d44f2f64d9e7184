export interface HomeTruth {
  sessions: number;
  bytes: number;
  requests: number;
  byModel: Record<string, Record<string, number>>;
  byAgent: Record<string, Record<string, number>>;
}

export const AGENTS: readonly string[];

/** Writes a home; returns its true sums. */
export function makeHome(
  home: string,
  sessions: number,
  seed?: number,
  agents?: readonly string[],
): HomeTruth;
