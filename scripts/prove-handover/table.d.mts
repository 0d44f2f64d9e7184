export interface ProofCase {
  target: string;
  from: string;
  story: string;
  /** Absent in cases recorded before these were checked. */
  ownSessions?: string;
}
export const VERSIONS: Readonly<Record<string, string>>;
export function wantedFor(target: string): ProofCase[];
export function proofTable(cases: readonly ProofCase[]): string;
export function pairsTable(cases: readonly ProofCase[]): string;
