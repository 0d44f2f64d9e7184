import { ECDSAKey } from "@ldclabs/cose-ts/ecdsa";
import { Ed25519Key } from "@ldclabs/cose-ts/ed25519";
import { Sign1Message } from "@ldclabs/cose-ts/sign1";
import { describe, expect, it } from "vitest";
import { decodeSign1, toBeSigned } from "../../src/records/cose/sign1.ts";
import { asFile, KEYS } from "./made.ts";
import type { AlgorithmName } from "./signed.ts";
import { RECORD, sign, tampered, verify } from "./signed.ts";

/**
 * Another COSE library with its own CBOR and curves checks that signatures do not depend on our own
 * reading of the standard.
 */
const payload = Buffer.concat([...asFile(RECORD).canonical()].map((chunk) => Buffer.from(chunk)));
const ALGORITHMS = ["EdDSA", "ES256"] as const;

function theirKey(algorithm: AlgorithmName): Ed25519Key | ECDSAKey {
  const { x = "", y = "" } = KEYS[algorithm].publicKey.export({ format: "jwk" });
  const bytes = (text: string): Buffer => Buffer.from(text, "base64url");
  if (algorithm === "EdDSA") return Ed25519Key.fromPublic(bytes(x));
  // Uncompressed point, in the notation of the curve's standard.
  return ECDSAKey.fromPublic(Buffer.concat([Buffer.of(4), bytes(x), bytes(y)]));
}

function theirPrivateKey(algorithm: AlgorithmName): Ed25519Key | ECDSAKey {
  const { d = "" } = KEYS[algorithm].privateKey.export({ format: "jwk" });
  const secret = Buffer.from(d, "base64url");
  return algorithm === "EdDSA" ? Ed25519Key.fromSecret(secret) : ECDSAKey.fromSecret(secret);
}

describe.each(ALGORITHMS)("an independent library (%s)", (algorithm) => {
  it("accepts our signatures, embedded and detached", () => {
    const embedded = sign(algorithm, { payload: "embedded" });
    const message = Sign1Message.fromBytes(theirKey(algorithm), embedded);
    expect(Buffer.from(message.payload).equals(payload)).toBe(true);
    const attached = tampered(sign(algorithm), () => ({ payload }));
    expect(Sign1Message.fromBytes(theirKey(algorithm), attached).payload).toEqual(
      new Uint8Array(payload),
    );
  });

  it("rejects changed payloads", () => {
    const other = Buffer.from(payload.toString("utf8").replace("grüße", "hello"));
    const attached = tampered(sign(algorithm), () => ({ payload: other }));
    expect(() => Sign1Message.fromBytes(theirKey(algorithm), attached)).toThrow(
      "signature mismatch",
    );
  });

  it("makes signatures that we accept", () => {
    const ours = sign(algorithm);
    const { protectedBytes } = decodeSign1(ours);
    const whole = { sizeBytes: payload.length, chunks: [payload] };
    const message = Buffer.concat([...toBeSigned(protectedBytes, whole)]);
    const signature = theirPrivateKey(algorithm).sign(message);
    expect(
      verify(
        tampered(ours, () => ({ signature })),
        { algorithm },
      ).isVerified,
    ).toBe(true);
  });
});
