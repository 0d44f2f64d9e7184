import type { Algorithm } from "./cose/algorithms.ts";

/** The levels of verification, in order. */
export const LEVELS = ["signature", "metadata", "claims", "schema"] as const;
export type Level = (typeof LEVELS)[number];

/** Everything that can be wrong with a signed record. The codes are stable for use by programs. */
export type FindingCode =
  | "malformed-cbor"
  | "not-cose-sign1"
  | "malformed-record"
  | "record-missing"
  | "payload-mismatch"
  | "algorithm-missing"
  | "algorithm-unsupported"
  | "alg-key-mismatch"
  | "critical-header"
  | "bad-signature"
  | "metadata-missing"
  | "metadata-mismatch"
  | "content-hash-missing"
  | "content-hash-mismatch"
  | "unknown-header"
  | "receipts-not-checked"
  | "claims-missing"
  | "issuer-mismatch"
  | "issuer-not-checked"
  | "subject-mismatch"
  | "subject-differs"
  | "schema-mismatch";

const LEVEL_OF: Readonly<Record<FindingCode, Level>> = {
  "malformed-cbor": "signature",
  "not-cose-sign1": "signature",
  "malformed-record": "signature",
  "record-missing": "signature",
  "payload-mismatch": "signature",
  "algorithm-missing": "signature",
  "algorithm-unsupported": "signature",
  "alg-key-mismatch": "signature",
  "critical-header": "signature",
  "bad-signature": "signature",
  "metadata-missing": "metadata",
  "metadata-mismatch": "metadata",
  "content-hash-missing": "metadata",
  "content-hash-mismatch": "metadata",
  "unknown-header": "metadata",
  "receipts-not-checked": "metadata",
  "claims-missing": "claims",
  "issuer-mismatch": "claims",
  "issuer-not-checked": "claims",
  "subject-mismatch": "claims",
  "subject-differs": "claims",
  "schema-mismatch": "schema",
};

export interface Finding {
  code: FindingCode;
  level: Level;
  severity: "failure" | "warning";
  message: string;
  /** A JSON Pointer into the record or the header, if there is one. */
  path: string | null;
}

export type LevelState = "passed" | "warned" | "failed" | "skipped";

/** The result of a verification. Unknown is `null`. */
export interface Verification {
  isVerified: boolean;
  levels: Record<Level, LevelState>;
  findings: Finding[];
  /** What the message claims; trustworthy only if the signature level passed. */
  signed: {
    algorithm: Algorithm | null;
    issuer: string | null;
    subject: string | null;
    keyId: string | null;
    contentType: string | null;
    payload: "detached" | "embedded";
  } | null;
  record: { id: string | null; sessionId: string | null; entries: number } | null;
  contentHash: string | null;
  payloadBytes: number | null;
}

/** Collects findings and derives the state of each level. */
export class Findings {
  readonly list: Finding[] = [];
  readonly #done = new Set<Level>();

  fail(code: FindingCode, message: string, path: string | null = null): void {
    this.list.push({ code, level: LEVEL_OF[code], severity: "failure", message, path });
  }

  warn(code: FindingCode, message: string): void {
    this.list.push({ code, level: LEVEL_OF[code], severity: "warning", message, path: null });
  }

  /** Marks a level as completely checked. */
  done(level: Level): void {
    this.#done.add(level);
  }

  states(): Record<Level, LevelState> {
    const states = LEVELS.map((level) => [level, this.#state(level)] as const);
    return Object.fromEntries(states) as Record<Level, LevelState>;
  }

  #state(level: Level): LevelState {
    const own = this.list.filter((finding) => finding.level === level);
    if (own.some(({ severity }) => severity === "failure")) return "failed";
    if (!this.#done.has(level)) return "skipped";
    return own.length > 0 ? "warned" : "passed";
  }
}
