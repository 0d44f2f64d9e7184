export interface HomeTruth {
  sessions: number;
  bytes: number;
  requests: number;
  byModel: Record<string, Record<string, number>>;
  byAgent: Record<string, Record<string, number>>;
}

export const AGENTS: readonly string[];

/** Writes a home; gives what it adds up to. */
export function makeHome(
  home: string,
  sessions: number,
  seed?: number,
  agents?: readonly string[],
): HomeTruth;
