import type { KeyObject } from "node:crypto";
import { PolluxError } from "../core/error.ts";
import { encodeCbor } from "./cbor.ts";
import type { Cbor, CborMap } from "./cbor.ts";
import type { Algorithm } from "./cose/algorithms.ts";
import { ALGORITHMS, algorithmOfKey, signMessage } from "./cose/algorithms.ts";
import { CLAIM, encodeSign1, LABEL, toBeSigned } from "./cose/sign1.ts";
import { digestOf, sessionIdOf, traceMetadataOf } from "./metadata.ts";
import type { RecordFile } from "./record-file.ts";
import type { RecordSchema } from "./schema.ts";

/** As in the draft's scripts; the media type in the draft's text is not registered. */
const CONTENT_TYPE = "application/json";

export interface SignRequest {
  key: KeyObject;
  /** Name or address of the signer. Never guessed. */
  issuer: string;
  /** The subject of the claim; defaults to the session's id. */
  subject?: string;
  /** Helps verifiers find the key. */
  keyId?: string;
  payload: "detached" | "embedded";
}

/** A signature and its claims. The bytes are produced in chunks. */
export interface Signed {
  algorithm: Algorithm;
  issuer: string;
  subject: string;
  payload: SignRequest["payload"];
  contentHash: string;
  payloadBytes: number;
  chunks: () => Iterable<Buffer>;
}

/** Signs the canonical bytes of a record. With ES256 they are never in memory as a whole. */
export function signRecord(record: RecordFile, schema: RecordSchema, request: SignRequest): Signed {
  const mismatch = schema.checkRecord(record);
  if (mismatch) {
    const where = mismatch.path === "" ? "the record" : mismatch.path;
    throw new PolluxError(
      "bad-record",
      `It does not fit the schema at ${where}: ${mismatch.message}.`,
    );
  }
  const { sizeBytes, sha256 } = digestOf(record.canonical());
  const algorithm = algorithmOfKey(request.key);
  if (!algorithm) throw new PolluxError("bad-key", "The key is not an Ed25519 or P-256 key.");
  const subject = request.subject ?? sessionIdOf(record);
  const protectedBytes = encodeCbor(protectedHeader(algorithm, subject, request));
  const payload = { sizeBytes, chunks: record.canonical() };
  const signature = signMessage(request.key, toBeSigned(protectedBytes, payload));
  const unprotected: CborMap = new Map([[LABEL.traceMetadata, traceMetadataOf(record, sha256)]]);
  return {
    algorithm,
    issuer: request.issuer,
    subject,
    payload: request.payload,
    contentHash: sha256,
    payloadBytes: sizeBytes,
    *chunks() {
      const message = { protectedBytes, unprotected, signature };
      if (request.payload === "detached") yield* encodeSign1(message);
      else yield* encodeSign1({ ...message, payload: { sizeBytes, chunks: copied(record) } });
    },
  };
}

/** Copies each chunk: the originals are only valid until the next one is requested. */
function* copied(record: RecordFile): Iterable<Buffer> {
  for (const chunk of record.canonical()) yield Buffer.from(chunk);
}

/** Sorted labels, so that the same request gives the same bytes. */
function protectedHeader(algorithm: Algorithm, subject: string, request: SignRequest): CborMap {
  const claims: CborMap = new Map([
    [CLAIM.issuer, request.issuer],
    [CLAIM.subject, subject],
  ]);
  const keyId: [Cbor, Cbor][] =
    request.keyId === undefined ? [] : [[LABEL.keyId, Buffer.from(request.keyId, "utf8")]];
  return new Map<Cbor, Cbor>([
    [LABEL.algorithm, ALGORITHMS[algorithm]],
    [LABEL.contentType, CONTENT_TYPE],
    ...keyId,
    [LABEL.claims, claims],
  ]);
}
