export interface ProofCase {
  target: string;
  from: string;
  story: string;
}
export const VERSIONS: Readonly<Record<string, string>>;
export function wantedFor(target: string): ProofCase[];
export function proofTable(cases: readonly ProofCase[]): string;
