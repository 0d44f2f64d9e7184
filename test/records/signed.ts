import { encodeCbor } from "../../src/records/cbor.ts";
import type { Cbor, CborMap } from "../../src/records/cbor.ts";
import { CborTag } from "../../src/records/cbor.ts";
import { decodeSign1 } from "../../src/records/cose/sign1.ts";
import type { Verification } from "../../src/records/findings.ts";
import type { SignRequest } from "../../src/records/sign.ts";
import { signRecord } from "../../src/records/sign.ts";
import type { VerifyInput } from "../../src/records/verify.ts";
import { verifyRecord } from "../../src/records/verify.ts";
import { memoryBytes } from "../../src/kernel/bytes.ts";
import { asFile, KEYS, schema } from "./made.ts";

export type AlgorithmName = keyof typeof KEYS;

/** A small record with unusual but valid content. */
export const RECORD: string = JSON.stringify({
  version: "3.0.0-draft",
  id: "r1",
  created: "2026-05-06T07:08:09.010Z",
  session: {
    format: "interactive",
    "session-id": "s1",
    "session-start": "2026-05-06T07:08:09.010Z",
    "session-end": "2026-05-06T07:09:00Z",
    "agent-meta": { "model-id": "m-1", "model-provider": "acme", "cli-name": "a-cli" },
    entries: [
      { type: "user", content: 'grüße 世界 😀 "q" \\ \t', id: "m1" },
      { type: "assistant", id: "m2", "token-usage": { input: 1, cost: 0.25 } },
    ],
  },
});

export function sign(
  algorithm: AlgorithmName,
  request: Partial<SignRequest> & { record?: string } = {},
): Buffer {
  const { record = RECORD, ...more } = request;
  const key = KEYS[algorithm].privateKey;
  const signed = signRecord(asFile(record), schema, {
    key,
    issuer: "https://example.org/ada",
    payload: "detached",
    ...more,
  });
  return Buffer.concat([...signed.chunks()]);
}

interface VerifyRequest extends Partial<Omit<VerifyInput, "record" | "issuer">> {
  algorithm?: AlgorithmName;
  /** `null`: no record is passed. */
  record?: string | Buffer | null;
  issuer?: string | null;
}

export function verify(signature: Uint8Array, request: VerifyRequest = {}): Verification {
  const {
    algorithm = "EdDSA",
    record = RECORD,
    issuer = "https://example.org/ada",
    ...more
  } = request;
  return verifyRecord(
    {
      signature,
      ...(record === null ? {} : { record: memoryBytes("record", Buffer.from(record)) }),
      key: KEYS[algorithm].publicKey,
      ...(issuer === null ? {} : { issuer }),
      mode: "strict",
      ...more,
    },
    schema,
  );
}

export function codes({ findings }: Verification): string[] {
  return findings.map(({ code, severity }) => (severity === "warning" ? `(${code})` : code));
}

interface Parts {
  tag: number;
  protectedBytes: Uint8Array;
  protectedHeader: CborMap;
  unprotected: CborMap;
  payload: Uint8Array | null;
  signature: Uint8Array;
}

/** The message with some parts changed, encoded again. */
export function tampered(message: Uint8Array, change: (parts: Parts) => Partial<Parts>): Buffer {
  const { item: _item, ...decoded } = decodeSign1(message);
  const parts: Parts = { tag: 18, ...decoded };
  const changed = { ...parts, ...change(parts) };
  const header =
    changed.protectedHeader === parts.protectedHeader
      ? changed.protectedBytes
      : encodeCbor(changed.protectedHeader);
  const four: Cbor[] = [header, changed.unprotected, changed.payload, changed.signature];
  return encodeCbor(new CborTag(changed.tag, four));
}

/** The unsigned metadata with one member changed or removed. */
export function metadata(parts: Pick<Parts, "unprotected">, key: Cbor, value?: Cbor): CborMap {
  const headers = new Map(parts.unprotected.get(100) as CborMap);
  if (value === undefined) headers.delete(key);
  else headers.set(key, value);
  return new Map<Cbor, Cbor>([...parts.unprotected, [100, headers]]);
}
