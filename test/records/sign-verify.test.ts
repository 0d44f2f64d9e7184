import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Cbor } from "../../src/records/cbor.ts";
import { newKeyPair, readPrivateKey } from "../../src/records/cose/keys.ts";
import { readPublicKey, thumbprintOf } from "../../src/records/cose/keys.ts";
import { decodeSign1, toBeSigned } from "../../src/records/cose/sign1.ts";
import { signRecord } from "../../src/records/sign.ts";
import { asFile, KEYS, schema } from "./made.ts";
import { codes, metadata, RECORD, sign, tampered, verify } from "./signed.ts";

const ALGORITHMS = ["EdDSA", "ES256"] as const;
const bytesOf = (record: string): Buffer =>
  Buffer.concat([...asFile(record).canonical()].map((chunk) => Buffer.from(chunk)));

describe("a signed record", () => {
  it.each(ALGORITHMS)("verifies, detached and embedded (%s)", (algorithm) => {
    const detached = sign(algorithm);
    expect(verify(detached, { algorithm })).toMatchObject({
      isVerified: true,
      findings: [],
      levels: { signature: "passed", metadata: "passed", claims: "passed", schema: "passed" },
      signed: { algorithm, issuer: "https://example.org/ada", subject: "s1", payload: "detached" },
      record: { id: "r1", sessionId: "s1", entries: 2 },
    });
    const embedded = sign(algorithm, { payload: "embedded" });
    expect(verify(embedded, { algorithm, record: null }).isVerified).toBe(true);
    expect(verify(embedded, { algorithm }).isVerified).toBe(true);
  });

  it("verifies in any JSON notation of the record", () => {
    const signature = sign("EdDSA");
    expect(
      verify(signature, { record: JSON.stringify(JSON.parse(RECORD), null, 4) }).isVerified,
    ).toBe(true);
    expect(verify(signature, { record: `${RECORD}\n` }).isVerified).toBe(true);
  });

  it("has stable signature bytes (Ed25519)", () => {
    const kept = readFileSync("test/fixtures/records/ed25519.cose");
    expect(sign("EdDSA", { keyId: "k1" }).equals(kept)).toBe(true);
    const hash = createHash("sha256").update(bytesOf(RECORD)).digest("hex");
    expect(hash).toMatchInlineSnapshot(
      `"c624b2c251665a318d1a70d8c1a1da4379211f1b57adb5941e6b983da952b190"`,
    );
  });

  it("signs the bytes defined by RFC 9052", () => {
    const payload = { sizeBytes: 3, chunks: [Buffer.from("a"), Buffer.from("bc")] };
    const bytes = Buffer.concat([...toBeSigned(Buffer.from("a10127", "hex"), payload)]);
    const wanted = [
      "84",
      "6a",
      Buffer.from("Signature1").toString("hex"),
      "43a10127",
      "40",
      "43616263",
    ];
    expect(bytes.toString("hex")).toBe(wanted.join(""));
  });

  it("states issuer, subject and key", () => {
    const signature = sign("ES256", { issuer: "did:example:a", subject: "urn:x", keyId: "key-1" });
    const more = { algorithm: "ES256", issuer: "did:example:a", subject: "urn:x" } as const;
    expect(verify(signature, more)).toMatchObject({
      isVerified: true,
      findings: [],
      signed: { issuer: "did:example:a", subject: "urn:x", keyId: "key-1" },
    });
    const { protectedHeader } = decodeSign1(signature);
    expect([...protectedHeader.keys()]).toEqual([1, 3, 4, 15]);
  });

  it("is checked against the schema before signing", () => {
    const record = RECORD.replace('"version":"3.0.0-draft",', "");
    expect(() => sign("EdDSA", { record })).toThrow('the member "version" is missing');
  });
});

describe("verification rejects", () => {
  const good = sign("EdDSA");

  it.each<[string, string, Buffer]>([
    [
      "a changed signature",
      "bad-signature",
      tampered(good, ({ signature }) => ({ signature: flip(signature, 5) })),
    ],
    ["another issuer", "bad-signature", tampered(good, claims(1, "https://example.org/bob"))],
    ["another subject", "bad-signature", tampered(good, claims(2, "s2"))],
    ["no claims", "bad-signature", tampered(good, header(15, undefined))],
    ["another content type", "bad-signature", tampered(good, header(3, "text/plain"))],
    ["another algorithm", "alg-key-mismatch", tampered(good, header(1, -7))],
    ["an unknown algorithm", "algorithm-unsupported", tampered(good, header(1, -37))],
    ["no algorithm", "algorithm-missing", tampered(good, header(1, undefined))],
    ["an unknown critical header", "critical-header", tampered(good, header(2, [99]))],
    ["another session in the metadata", "metadata-mismatch", described("session-id", "other")],
    ["another vendor", "metadata-mismatch", described("agent-vendor", "other")],
    ["another format", "metadata-mismatch", described("trace-format", "other")],
    ["another start", "metadata-mismatch", described("timestamp-start", "2020-01-01T00:00:00Z")],
    ["another end", "metadata-mismatch", described("timestamp-end", 5)],
    ["another member", "metadata-mismatch", described("more", 1)],
    ["another hash", "content-hash-mismatch", described("content-hash", "0".repeat(64))],
    ["another name of the hash", "metadata-mismatch", described("content-hash-alg", "sha-512")],
    ["no hash", "content-hash-missing", described("content-hash")],
    ["no session in the metadata", "metadata-missing", described("session-id")],
    ["no metadata", "metadata-missing", tampered(good, () => ({ unprotected: new Map() }))],
    [
      "metadata of another kind",
      "metadata-mismatch",
      tampered(good, () => ({ unprotected: new Map<Cbor, Cbor>([[100, "x"]]) })),
    ],
    ["another tag", "not-cose-sign1", tampered(good, () => ({ tag: 17 }))],
    ["no tag", "not-cose-sign1", good.subarray(1)],
    ["a byte too many", "malformed-cbor", Buffer.concat([good, Buffer.of(0)])],
    ["a byte too few", "malformed-cbor", good.subarray(0, -1)],
    ["nothing at all", "malformed-cbor", Buffer.alloc(0)],
    ["text", "malformed-cbor", Buffer.from("-----BEGIN")],
  ])("%s as %s", (_, code, signature) => {
    const verification = verify(signature);
    expect(verification.isVerified).toBe(false);
    expect(codes(verification)).toContain(code);
  });

  function described(key: string, value?: Cbor): Buffer {
    return tampered(good, (parts) => ({ unprotected: metadata(parts, key, value) }));
  }

  it.each([
    ["1 becomes 1.0", RECORD.replace('"input":1', '"input":1.0'), "bad-signature"],
    ["a letter changes", RECORD.replace("grüße", "grüsse"), "bad-signature"],
    ["a key occurs twice", RECORD.replace('"id":"m1"', '"id":"x","id":"m1"'), "malformed-record"],
    ["a surrogate is alone", RECORD.replace("😀", "\\ud83d"), "malformed-record"],
    ["text follows", `${RECORD} {}`, "malformed-record"],
    ["the text is not JSON", "{", "malformed-record"],
  ])("a record in which %s", (_, record, code) => {
    const verification = verify(good, { record });
    expect(verification.isVerified).toBe(false);
    expect(codes(verification)).toContain(code);
  });

  it("another key", () => {
    const other = newKeyPair("EdDSA", "pem");
    expect(codes(verify(good, { key: readPublicKey(other.publicKey) }))).toEqual(["bad-signature"]);
    expect(codes(verify(good, { algorithm: "ES256" }))).toEqual(["alg-key-mismatch"]);
  });

  it("an unexpected issuer or subject", () => {
    expect(codes(verify(good, { issuer: "bob" }))).toEqual(["issuer-mismatch"]);
    expect(codes(verify(good, { subject: "s2" }))).toEqual(["subject-mismatch"]);
  });

  it("a signed record that does not fit the schema", () => {
    const record = RECORD.replace('"type":"user"', '"type":"nobody"');
    const lax = { checkRecord: () => undefined } as unknown as typeof schema;
    const request = { key: KEYS.EdDSA.privateKey, issuer: "https://example.org/ada" };
    const signed = signRecord(asFile(record), lax, { ...request, payload: "detached" });
    const verification = verify(Buffer.concat([...signed.chunks()]), { record });
    expect(verification.levels).toMatchObject({ signature: "passed", schema: "failed" });
    expect(verification.findings).toMatchObject([
      { code: "schema-mismatch", path: "/session/entries/0/type" },
    ]);
  });

  it("a payload that differs from the record, or no payload", () => {
    const embedded = sign("EdDSA", { payload: "embedded" });
    const record = RECORD.replace("grüße", "hello");
    expect(codes(verify(embedded, { record }))).toContain("payload-mismatch");
    expect(codes(verify(good, { record: null }))).toEqual(["record-missing"]);
    const spaced = tampered(embedded, () => ({ payload: Buffer.from(`${RECORD} `) }));
    expect(codes(verify(spaced, { record: null }))).toContain("payload-mismatch");
  });
});

describe("verification warns", () => {
  const good = sign("EdDSA");

  it("if the issuer was not checked or the subject differs", () => {
    const unasked = verify(good, { issuer: null });
    expect(unasked.isVerified).toBe(true);
    expect(codes(unasked)).toEqual(["(issuer-not-checked)"]);
    const open = sign("EdDSA", { subject: "urn:x" });
    expect(codes(verify(open))).toEqual(["(subject-differs)"]);
  });

  it("about unknown unsigned headers and unchecked receipts", () => {
    const odd = tampered(good, ({ unprotected }) => ({
      unprotected: new Map<Cbor, Cbor>([...unprotected, [394, [Buffer.of(1)]], ["x", 1]]),
    }));
    const verification = verify(odd);
    expect(verification.isVerified).toBe(true);
    expect(codes(verification)).toEqual(["(receipts-not-checked)", "(unknown-header)"]);
  });

  it("about missing metadata in lenient mode", () => {
    const lacking = tampered(good, (parts) => ({ unprotected: metadata(parts, "content-hash") }));
    const verification = verify(lacking, { mode: "lenient" });
    expect(verification.isVerified).toBe(true);
    expect(codes(verification)).toEqual(["(content-hash-missing)"]);
    const wrong = tampered(good, (parts) => ({
      unprotected: metadata(parts, "content-hash", "0"),
    }));
    expect(verify(wrong, { mode: "lenient" }).isVerified).toBe(false);
  });

  it("but fails for malformed known headers", () => {
    for (const [label, garbage] of [
      [394, "x"],
      [33, 5],
      [4, "k"],
    ] as const) {
      const odd = tampered(good, ({ unprotected }) => ({
        unprotected: new Map<Cbor, Cbor>([...unprotected, [label, garbage]]),
      }));
      expect(codes(verify(odd))).toContain("schema-mismatch");
    }
  });
});

describe("a single flipped bit", () => {
  it.each(ALGORITHMS)("in the signature file never passes (%s)", (algorithm) => {
    const good = sign(algorithm);
    for (let at = 0; at < good.length; at += 1) {
      const { isVerified } = verify(flip(good, at, at % 8), { algorithm });
      expect({ at, isVerified }).toEqual({ at, isVerified: false });
    }
  });

  it("in the record never passes", () => {
    const good = sign("EdDSA");
    const canonical = bytesOf(RECORD);
    fc.assert(
      fc.property(fc.nat(canonical.length - 1), fc.nat(7), (at, bit) => {
        const described = verify(good, { record: flip(canonical, at, bit) });
        expect(described.isVerified).toBe(false);
      }),
    );
  });
});

describe("keys", () => {
  it.each(ALGORITHMS)("are read from PEM and JWK (%s)", (algorithm) => {
    for (const form of ["pem", "jwk"] as const) {
      const pair = newKeyPair(algorithm, form);
      const key = readPrivateKey(pair.privateKey);
      const signature = Buffer.concat([
        ...signRecord(asFile(RECORD), schema, { key, issuer: "i", payload: "detached" }).chunks(),
      ]);
      expect(
        verify(signature, { key: readPublicKey(pair.publicKey), issuer: "i" }).isVerified,
      ).toBe(true);
      // A private key also yields its public key.
      expect(thumbprintOf(readPublicKey(pair.privateKey))).toBe(pair.thumbprint);
    }
  });

  it("of other kinds are refused without printing them", () => {
    const rsa = "-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----\n";
    for (const text of ["", "secret", rsa, '{"kty":"oct","k":"c2VjcmV0"}', "{"]) {
      expect(() => readPrivateKey(text)).toThrow("not an Ed25519 or P-256 private key");
      expect(() => readPublicKey(text)).toThrow("not an Ed25519 or P-256 public key");
    }
    const publicOnly = newKeyPair("EdDSA", "pem").publicKey;
    expect(() => readPrivateKey(publicOnly)).toThrow("P-256 private key");
  });

  /** The example from RFC 8037, appendix A.3. */
  it("have the thumbprint of RFC 7638", () => {
    const x = "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo";
    const key = readPublicKey(JSON.stringify({ kty: "OKP", crv: "Ed25519", x }));
    expect(thumbprintOf(key)).toBe("kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k");
  });
});

function flip(bytes: Uint8Array, at: number, bit = 0): Buffer {
  const copy = Buffer.from(bytes);
  copy[at] = (copy[at] ?? 0) ^ (1 << bit);
  return copy;
}

type Change = Parameters<typeof tampered>[1];

function header(label: number, value: Cbor | undefined): Change {
  return ({ protectedHeader }) => {
    const changed = new Map(protectedHeader);
    if (value === undefined) changed.delete(label);
    else changed.set(label, value);
    return { protectedHeader: changed };
  };
}

function claims(label: number, value: string): Change {
  return ({ protectedHeader }) => {
    const changed = new Map(protectedHeader.get(15) as Map<Cbor, Cbor>);
    changed.set(label, value);
    return { protectedHeader: new Map<Cbor, Cbor>([...protectedHeader, [15, changed]]) };
  };
}
