import type { JsonWebKey, KeyObject } from "node:crypto";
import { createPrivateKey, createPublicKey, generateKeyPairSync, hash } from "node:crypto";
import { PolluxError } from "../../core/error.ts";
import type { Algorithm } from "./algorithms.ts";
import { algorithmOfKey } from "./algorithms.ts";

export type KeyForm = "pem" | "jwk";

export interface KeyPair {
  algorithm: Algorithm;
  /** PKCS#8 or a JWK; secret. */
  privateKey: string;
  /** SPKI or a JWK. */
  publicKey: string;
  thumbprint: string;
}

export function newKeyPair(algorithm: Algorithm, form: KeyForm): KeyPair {
  const pair =
    algorithm === "EdDSA"
      ? generateKeyPairSync("ed25519")
      : generateKeyPairSync("ec", { namedCurve: "P-256" });
  return {
    algorithm,
    privateKey: written(pair.privateKey, form),
    publicKey: written(pair.publicKey, form),
    thumbprint: thumbprintOf(pair.publicKey),
  };
}

function written(key: KeyObject, form: KeyForm): string {
  if (form === "jwk") return `${JSON.stringify(key.export({ format: "jwk" }), undefined, 2)}\n`;
  const type = key.type === "private" ? "pkcs8" : "spki";
  return String(key.export({ format: "pem", type }));
}

/** Reads a private key from PEM or JWK; throws if records cannot be signed with it. */
export function readPrivateKey(text: string): KeyObject {
  const key = reading(() => createPrivateKey(inputOf(text)));
  if (key && algorithmOfKey(key)) return key;
  throw new PolluxError("bad-key", "This is not an Ed25519 or P-256 private key.", {
    remedy: "`pollux keys new` makes one.",
  });
}

/** Reads a public key from PEM or JWK; accepts a private key for its public half. */
export function readPublicKey(text: string): KeyObject {
  const key = reading(() => createPublicKey(inputOf(text)));
  if (key && algorithmOfKey(key)) return key;
  throw new PolluxError("bad-key", "This is not an Ed25519 or P-256 public key.");
}

function inputOf(text: string): string | { key: JsonWebKey; format: "jwk" } {
  if (!text.trimStart().startsWith("{")) return text;
  return { key: JSON.parse(text) as JsonWebKey, format: "jwk" };
}

function reading(read: () => KeyObject): KeyObject | undefined {
  try {
    return read();
  } catch {
    // The engine's error may quote the key, so it is not passed on.
    return undefined;
  }
}

/** RFC 7638: independent of the format in which a key is written. */
export function thumbprintOf(key: KeyObject): string {
  const { kty, crv, x, y } = key.export({ format: "jwk" });
  // Exactly these members, in alphabetical order.
  const members = y === undefined ? { crv, kty, x } : { crv, kty, x, y };
  return hash("sha256", JSON.stringify(members), "base64url");
}
