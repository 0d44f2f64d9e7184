import type { KeyObject } from "node:crypto";
import { createSign, createVerify, sign, verify } from "node:crypto";

/** The supported signature algorithms, by their COSE number (RFC 9053). */
export const ALGORITHMS = { EdDSA: -8, ES256: -7 } as const;
export type Algorithm = keyof typeof ALGORITHMS;

export function algorithmOf(number: unknown): Algorithm | undefined {
  if (number === ALGORITHMS.EdDSA) return "EdDSA";
  return number === ALGORITHMS.ES256 ? "ES256" : undefined;
}

/** The algorithm of a key; undefined for unsupported keys. */
export function algorithmOfKey(key: KeyObject): Algorithm | undefined {
  if (key.asymmetricKeyType === "ed25519") return "EdDSA";
  const isP256 =
    key.asymmetricKeyType === "ec" && key.asymmetricKeyDetails?.namedCurve === "prime256v1";
  return isP256 ? "ES256" : undefined;
}

/** COSE requires the two numbers of an ECDSA signature concatenated, without a DER wrapper. */
const ENCODING = { dsaEncoding: "ieee-p1363" } as const;

/**
 * Signs a message given in chunks. ES256 hashes it incrementally. Ed25519 needs the whole message
 * in memory, so ES256 is better for very large records.
 */
export function signMessage(key: KeyObject, message: Iterable<Buffer>): Buffer {
  if (algorithmOfKey(key) === "EdDSA") return sign(null, joined(message), key);
  const signer = createSign("SHA256");
  for (const piece of message) signer.update(piece);
  return signer.sign({ key, ...ENCODING });
}

export function isSignatureOf(
  key: KeyObject,
  message: Iterable<Buffer>,
  signature: Uint8Array,
): boolean {
  if (algorithmOfKey(key) === "EdDSA") return verify(null, joined(message), key, signature);
  const verifier = createVerify("SHA256");
  for (const piece of message) verifier.update(piece);
  return verifier.verify({ key, ...ENCODING }, signature);
}

function joined(pieces: Iterable<Buffer>): Buffer {
  // A chunk is only valid until the next one is requested.
  return Buffer.concat(Array.from(pieces, (piece) => Buffer.from(piece)));
}
