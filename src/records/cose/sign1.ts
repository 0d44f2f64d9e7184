import { decodeCbor } from "../cbor.ts";
import { encodeCbor, encodeHead } from "../cbor.ts";
import type { Cbor, CborMap } from "../cbor.ts";
import { CborFault, CborTag } from "../cbor.ts";

/** Labels of COSE headers (RFC 9052, RFC 9597) and of the claims inside them (RFC 8392). */
export const LABEL = {
  algorithm: 1,
  critical: 2,
  contentType: 3,
  keyId: 4,
  claims: 15,
  traceMetadata: 100,
  receipts: 394,
} as const;
export const CLAIM = { issuer: 1, subject: 2 } as const;

const SIGN1_TAG = 18;
const BYTES = 2;
const LIST = 4;

/**
 * A COSE_Sign1 message:
 *
 *     d2 84                       tag 18, a list of four
 *        58 23 a3 01 27 …         protected header, as bytes
 *        a1 18 64 a7 …            unprotected header
 *        f6                       payload: null when detached
 *        58 40 d9 d2 98 …         signature
 */
export interface Sign1 {
  protectedBytes: Buffer;
  protectedHeader: CborMap;
  unprotected: CborMap;
  payload: Uint8Array | null;
  signature: Uint8Array;
  /** The decoded message, for schema validation. */
  item: Cbor;
}

/** Throws a `CborFault` unless the bytes are exactly one COSE_Sign1 message. */
export function decodeSign1(bytes: Uint8Array): Sign1 {
  const item = decodeCbor(bytes);
  if (!(item instanceof CborTag) || item.tag !== SIGN1_TAG || !Array.isArray(item.value)) {
    throw new NotSign1("it is not a COSE_Sign1 message (tag 18)");
  }
  const [protectedBytes, unprotected, payload, signature, ...more] = item.value;
  const isShaped =
    protectedBytes instanceof Uint8Array &&
    unprotected instanceof Map &&
    (payload === null || payload instanceof Uint8Array) &&
    signature instanceof Uint8Array &&
    more.length === 0;
  if (!isShaped) throw new NotSign1("it has not the four parts of a COSE_Sign1 message");
  const protectedHeader = protectedBytes.length === 0 ? new Map() : decodeCbor(protectedBytes);
  if (!(protectedHeader instanceof Map)) throw new NotSign1("its protected header is not a map");
  const kept = Buffer.from(protectedBytes);
  return { protectedBytes: kept, protectedHeader, unprotected, payload, signature, item };
}

export class NotSign1 extends CborFault {
  constructor(message: string) {
    super(message);
    this.name = "NotSign1";
  }
}

/** The bytes to sign: a list of "Signature1", the protected header, empty bytes and the payload. */
export function* toBeSigned(
  protectedBytes: Uint8Array,
  payload: { sizeBytes: number; chunks: Iterable<Buffer> },
): Iterable<Buffer> {
  yield Buffer.concat([
    encodeHead(LIST, 4),
    encodeCbor("Signature1"),
    encodeCbor(protectedBytes),
    encodeCbor(Buffer.alloc(0)),
    encodeHead(BYTES, payload.sizeBytes),
  ]);
  yield* payload.chunks;
}

/** Encodes the message in chunks, so that an embedded payload need not be in memory. */
export function* encodeSign1(message: {
  protectedBytes: Uint8Array;
  unprotected: CborMap;
  /** Absent if the payload is detached. */
  payload?: { sizeBytes: number; chunks: Iterable<Buffer> };
  signature: Uint8Array;
}): Iterable<Buffer> {
  const { payload } = message;
  yield Buffer.concat([
    encodeHead(6, SIGN1_TAG),
    encodeHead(LIST, 4),
    encodeCbor(message.protectedBytes),
    encodeCbor(message.unprotected),
    payload ? encodeHead(BYTES, payload.sizeBytes) : encodeCbor(null),
  ]);
  if (payload) yield* payload.chunks;
  yield encodeCbor(message.signature);
}

/** A text member of a header or of the claims; undefined if it is not text. */
export function textAt(map: CborMap, label: number): string | undefined {
  const value = map.get(label);
  return typeof value === "string" ? value : undefined;
}
