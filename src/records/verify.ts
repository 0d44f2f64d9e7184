import type { KeyObject } from "node:crypto";
import type { ByteSource } from "../kernel/bytes.ts";
import { memoryBytes } from "../kernel/bytes.ts";
import { CborFault } from "./cbor.ts";
import { algorithmOf, algorithmOfKey, isSignatureOf } from "./cose/algorithms.ts";
import type { Sign1 } from "./cose/sign1.ts";
import { CLAIM, decodeSign1, LABEL, NotSign1, textAt, toBeSigned } from "./cose/sign1.ts";
import type { Verification } from "./findings.ts";
import { Findings } from "./findings.ts";
import { JsonFault } from "./json/parse.ts";
import { isObject } from "./json/value.ts";
import type { PayloadDigest } from "./metadata.ts";
import { digestOf } from "./metadata.ts";
import { RecordFile } from "./record-file.ts";
import type { RecordSchema } from "./schema.ts";
import { checkClaims, checkMetadata } from "./verify-headers.ts";

export interface VerifyInput {
  /** The COSE message. */
  signature: Uint8Array;
  /** The record; not needed if the message embeds it. */
  record?: ByteSource;
  /** The key that must have signed. Never taken from the message. */
  key: KeyObject;
  issuer?: string;
  subject?: string;
  /** `lenient`: unsigned metadata may be missing, but not wrong. */
  mode: "strict" | "lenient";
}

/** Checks all levels as far as possible and reports the findings. */
export function verifyRecord(input: VerifyInput, schema: RecordSchema): Verification {
  const findings = new Findings();
  const message = readMessage(input, findings);
  const record = readRecord(input, message, findings);
  const digest = record ? digestOf(record.canonical()) : undefined;
  if (message && record && digest) {
    checkSignature({ message, record, digest, key: input.key }, findings);
    checkMetadata({ message, record, sha256: digest.sha256, mode: input.mode }, findings);
    checkClaims({ message, record, expected: input }, findings);
  }
  if (record) checkSchema(record, message, { schema, findings });
  const levels = findings.states();
  const isFailed = Object.values(levels).some((state) => state === "failed" || state === "skipped");
  return {
    isVerified: !isFailed,
    levels,
    findings: findings.list,
    signed: message ? signedOf(message) : null,
    record: record ? recordOf(record) : null,
    contentHash: digest?.sha256 ?? null,
    payloadBytes: digest?.sizeBytes ?? null,
  };
}

function readMessage({ signature }: VerifyInput, findings: Findings): Sign1 | undefined {
  try {
    return decodeSign1(signature);
  } catch (error) {
    if (!(error instanceof CborFault)) throw error;
    const code = error instanceof NotSign1 ? "not-cose-sign1" : "malformed-cbor";
    findings.fail(code, `The signature cannot be read: ${error.message}.`);
    return undefined;
  }
}

function readRecord(
  input: VerifyInput,
  message: Sign1 | undefined,
  findings: Findings,
): RecordFile | undefined {
  const embedded = message?.payload ?? undefined;
  const source = input.record ?? (embedded && memoryBytes("payload", embedded));
  if (!source) {
    if (message)
      findings.fail(
        "record-missing",
        "The message does not contain the record; pass it as a second file.",
      );
    return undefined;
  }
  try {
    const record = new RecordFile(source);
    if (embedded && input.record) comparePayload(record, embedded, findings);
    if (embedded && !input.record && !record.isCanonical) {
      findings.fail("payload-mismatch", "The payload is not in the canonical form.");
    }
    return record;
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error;
    findings.fail("malformed-record", `The record cannot be read: ${error.message}.`);
    return undefined;
  }
}

function comparePayload(record: RecordFile, embedded: Uint8Array, findings: Findings): void {
  const own = digestOf(record.canonical());
  const carried = digestOf([Buffer.from(embedded)]);
  if (own.sha256 === carried.sha256) return;
  findings.fail("payload-mismatch", "The message contains a different record than the one given.");
}

interface Signing {
  message: Sign1;
  record: RecordFile;
  digest: PayloadDigest;
  key: KeyObject;
}

function checkSignature({ message, record, digest, key }: Signing, findings: Findings): void {
  const { protectedHeader, protectedBytes, signature } = message;
  const number = protectedHeader.get(LABEL.algorithm);
  const algorithm = algorithmOf(number);
  if (protectedHeader.has(LABEL.critical)) {
    findings.fail("critical-header", "The signature requires headers that are not supported.");
  } else if (number === undefined) {
    findings.fail("algorithm-missing", "The signature does not name its algorithm.");
  } else if (!algorithm) {
    findings.fail("algorithm-unsupported", "The signature was made with an unsupported algorithm.");
  } else if (algorithm !== algorithmOfKey(key)) {
    findings.fail(
      "alg-key-mismatch",
      `The signature uses ${algorithm}, but the key is of another type.`,
    );
  } else {
    const payload = { sizeBytes: digest.sizeBytes, chunks: record.canonical() };
    if (!isSignatureOf(key, toBeSigned(protectedBytes, payload), signature)) {
      findings.fail("bad-signature", "The signature does not match this record and key.");
    }
  }
  findings.done("signature");
}

function checkSchema(
  record: RecordFile,
  message: Sign1 | undefined,
  by: { schema: RecordSchema; findings: Findings },
): void {
  const { schema, findings } = by;
  const parts = [
    { name: "record", mismatch: schema.checkRecord(record) },
    { name: "signature", mismatch: message && schema.checkSigned(message.item) },
  ];
  for (const { name, mismatch } of parts) {
    if (!mismatch) continue;
    const where = mismatch.path === "" ? "" : ` at ${mismatch.path}`;
    const text = `The ${name} does not fit the schema${where}: ${mismatch.message}.`;
    findings.fail("schema-mismatch", text, mismatch.path);
  }
  findings.done("schema");
}

function signedOf(message: Sign1): Verification["signed"] {
  const { protectedHeader, unprotected, payload } = message;
  const claims = protectedHeader.get(LABEL.claims);
  const claim = (label: number): string | null =>
    (claims instanceof Map ? textAt(claims, label) : undefined) ?? null;
  const keyId = protectedHeader.get(LABEL.keyId) ?? unprotected.get(LABEL.keyId);
  return {
    algorithm: algorithmOf(protectedHeader.get(LABEL.algorithm)) ?? null,
    issuer: claim(CLAIM.issuer),
    subject: claim(CLAIM.subject),
    keyId: keyId instanceof Uint8Array ? Buffer.from(keyId).toString("utf8") : null,
    contentType: textAt(protectedHeader, LABEL.contentType) ?? null,
    payload: payload === null ? "detached" : "embedded",
  };
}

function recordOf(record: RecordFile): Verification["record"] {
  const { id, session } = record.skeleton;
  const sessionId = isObject(session) ? session["session-id"] : undefined;
  return {
    id: typeof id === "string" ? id : null,
    sessionId: typeof sessionId === "string" ? sessionId : null,
    entries: record.count("session/entries"),
  };
}
