import type { Cbor, CborMap } from "./cbor.ts";
import { encodeCbor } from "./cbor.ts";
import type { Sign1 } from "./cose/sign1.ts";
import { CLAIM, LABEL, textAt } from "./cose/sign1.ts";
import type { Findings } from "./findings.ts";
import { sessionIdOf, traceMetadataOf } from "./metadata.ts";
import type { RecordFile } from "./record-file.ts";

const HASH_KEY = "content-hash";
/** Known unsigned headers, including key id and certificates, which are ignored. */
const KNOWN_UNPROTECTED = new Set<Cbor>([LABEL.traceMetadata, LABEL.receipts, LABEL.keyId, 33]);

/**
 * The unsigned header proves nothing by itself. Every value that can be derived from the record
 * must match it; other values are reported.
 */
export function checkMetadata(
  given: { message: Sign1; record: RecordFile; sha256: string; mode: "strict" | "lenient" },
  findings: Findings,
): void {
  const { message, record, sha256, mode } = given;
  const metadata = message.unprotected.get(LABEL.traceMetadata);
  const missing = mode === "strict" ? findings.fail.bind(findings) : findings.warn.bind(findings);
  if (metadata instanceof Map)
    compare(metadata, traceMetadataOf(record, sha256), { findings, missing });
  else if (metadata === undefined)
    missing("metadata-missing", "The signature has no trace metadata.");
  else findings.fail("metadata-mismatch", "The trace metadata is not a map.");
  if (message.unprotected.has(LABEL.receipts)) {
    const text = "The signature contains receipts, which were not checked.";
    findings.warn("receipts-not-checked", text);
  }
  for (const label of message.unprotected.keys()) {
    if (KNOWN_UNPROTECTED.has(label)) continue;
    const text = `The unsigned header ${printed(label)} is unknown and was not checked.`;
    findings.warn("unknown-header", text);
  }
  findings.done("metadata");
}

type Report = (
  code: "content-hash-missing" | "metadata-missing",
  message: string,
  path: string,
) => void;

function compare(
  details: CborMap,
  derived: ReadonlyMap<string, Cbor>,
  by: { findings: Findings; missing: Report },
): void {
  for (const [key, value] of derived) {
    const path = `/${key}`;
    if (!details.has(key)) {
      const code = key === HASH_KEY ? "content-hash-missing" : "metadata-missing";
      by.missing(code, `The trace metadata has no ${key}.`, path);
    } else if (!isSame(details.get(key), value)) {
      const code = key === HASH_KEY ? "content-hash-mismatch" : "metadata-mismatch";
      by.findings.fail(code, `The trace metadata's ${key} does not match the record.`, path);
    }
  }
  for (const key of details.keys()) {
    if (typeof key === "string" && derived.has(key)) continue;
    const text = `The trace metadata's ${printed(key)} does not follow from the record.`;
    by.findings.fail("metadata-mismatch", text);
  }
}

function isSame(a: Cbor | undefined, b: Cbor): boolean {
  return a !== undefined && encodeCbor(a).equals(encodeCbor(b));
}

/** Checks the signed claims. The caller provides the expected issuer and subject. */
export function checkClaims(
  given: {
    message: Sign1;
    record: RecordFile;
    expected: { issuer?: string; subject?: string };
  },
  findings: Findings,
): void {
  const claims = given.message.protectedHeader.get(LABEL.claims);
  const issuer = claims instanceof Map ? textAt(claims, CLAIM.issuer) : undefined;
  const subject = claims instanceof Map ? textAt(claims, CLAIM.subject) : undefined;
  if (issuer === undefined || subject === undefined) {
    findings.fail("claims-missing", "The signature names neither issuer nor subject.");
  } else {
    checkIssuer(issuer, given.expected.issuer, findings);
    checkSubject(subject, { wanted: given.expected.subject, record: given.record }, findings);
  }
  findings.done("claims");
}

function checkIssuer(issuer: string, wanted: string | undefined, findings: Findings): void {
  if (wanted === undefined) {
    const text = `The issuer calls itself ${printed(issuer)}; no issuer was expected.`;
    findings.warn("issuer-not-checked", text);
  } else if (issuer !== wanted) {
    const text = `The issuer is ${printed(issuer)}, not ${printed(wanted)}.`;
    findings.fail("issuer-mismatch", text);
  }
}

function checkSubject(
  subject: string,
  details: { wanted: string | undefined; record: RecordFile },
  findings: Findings,
): void {
  const { wanted, record } = details;
  if (wanted !== undefined && subject !== wanted) {
    const text = `The subject is ${printed(subject)}, not ${printed(wanted)}.`;
    findings.fail("subject-mismatch", text);
  }
  if (wanted !== undefined) return;
  const ids = [sessionIdOf(record), record.skeleton["id"]];
  if (ids.includes(subject)) return;
  const text = `The subject ${printed(subject)} is neither the session nor the record.`;
  findings.warn("subject-differs", text);
}

function printed(value: Cbor): string {
  if (typeof value === "string") return JSON.stringify(value.slice(0, 80));
  return typeof value === "number" ? String(value) : "(of another kind)";
}
