import type { KeyObject } from "node:crypto";
import { createSign, createVerify, sign, verify } from "node:crypto";

/** The two algorithms that records are signed with, by their COSE number (RFC 9053). */
export const ALGORITHMS = { EdDSA: -8, ES256: -7 } as const;
export type Algorithm = keyof typeof ALGORITHMS;

export function algorithmOf(number: unknown): Algorithm | undefined {
  if (number === ALGORITHMS.EdDSA) return "EdDSA";
  return number === ALGORITHMS.ES256 ? "ES256" : undefined;
}

/** What a key signs with; `undefined` for keys that are of no use here. */
export function algorithmOfKey(key: KeyObject): Algorithm | undefined {
  if (key.asymmetricKeyType === "ed25519") return "EdDSA";
  const isP256 =
    key.asymmetricKeyType === "ec" && key.asymmetricKeyDetails?.namedCurve === "prime256v1";
  return isP256 ? "ES256" : undefined;
}

/** COSE wants the two numbers of an ECDSA signature side by side, without any wrapping. */
const ENCODING = { dsaEncoding: "ieee-p1363" } as const;

/**
 * Signs a message that comes in pieces. ES256 hashes it on the way; Ed25519 needs it twice, and so
 * in one piece: for very large records ES256 is the better choice.
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
  // A piece is only valid until the next one is asked for.
  return Buffer.concat(Array.from(pieces, (piece) => Buffer.from(piece)));
}
