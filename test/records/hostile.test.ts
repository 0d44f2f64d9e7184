import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PolluxError } from "../../src/core/error.ts";
import { restoreRecord, signRecord } from "../../src/library/records.ts";
import { newKeyPair } from "../../src/records/cose/keys.ts";
import { memoryBytes } from "../../src/kernel/bytes.ts";
import { lines, recordBytes } from "./made.ts";
import { bytesOf } from "./round-trip.ts";
import { RECORD, sign, verify } from "./signed.ts";

/** Signatures and records are untrusted: any input leads to a finding, not an exception. */
describe("arbitrary input", () => {
  const good = sign("EdDSA");

  it("as a signature leads to findings, not an exception", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
        expect(verify(bytes).isVerified).toBe(false);
        // Also after a valid beginning.
        const cut = Buffer.concat([good.subarray(0, bytes.length * 4), bytes]);
        expect(verify(cut).isVerified).toBe(false);
      }),
      { numRuns: 300 },
    );
  });

  it("as a record leads to findings, not an exception", () => {
    const any = fc.oneof(
      fc.uint8Array().map((bytes) => Buffer.from(bytes)),
      fc.jsonValue().map((value) => Buffer.from(JSON.stringify(value))),
      fc.jsonValue().map((session) => Buffer.from(JSON.stringify({ session }))),
      fc
        .array(fc.jsonValue())
        .map((entries) => Buffer.from(JSON.stringify({ session: { entries } }))),
    );
    fc.assert(
      fc.property(any, (record) => {
        expect(verify(good, { record }).isVerified).toBe(false);
      }),
      { numRuns: 300 },
    );
  });

  it("with endless nesting is refused", () => {
    for (const open of ["[", '{"a":', '{"session":{"entries":[[']) {
      const { findings } = verify(good, { record: open.repeat(100_000) });
      expect(findings[0]?.code).toBe("malformed-record");
    }
    const inside = `{"session":{"entries":[${"[".repeat(5000)}${"]".repeat(5000)}]}}`;
    expect(verify(good, { record: inside }).findings[0]?.code).toBe("malformed-record");
    expect(verify(Buffer.alloc(100_000, 0x81)).findings[0]?.code).toBe("malformed-cbor");
  });

  it("is signed only if it is a valid record", async () => {
    const { privateKey } = newKeyPair("EdDSA", "pem");
    const request = { privateKey, issuer: "i", payload: "detached" } as const;
    for (const text of ["", "{", "[]", "{}", '{"id":1,"id":2}', RECORD.replace("s1", "\\ud800")]) {
      const bytes = memoryBytes("r", Buffer.from(text));
      await expect(signRecord(bytes, request)).rejects.toMatchObject({ code: "bad-record" });
    }
  });

  it("is restored or refused, never partly", async () => {
    const at = "2026-01-01T00:00:00.000Z";
    const header = { sessionId: "s1", projectHash: "h", startTime: at };
    const user = { id: "u1", timestamp: at, type: "user", content: "hi" };
    const record = await recordBytes(lines(header, user, { $set: { messages: [user] } }), "s1");
    const text = record.toString("utf8");
    const native = text.indexOf('"x-native"');
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: native, max: text.length - 1 }), async (lost) => {
        const changed = `${text.slice(0, lost)}${text.slice(lost + 1)}`;
        try {
          const files = await restoreRecord(memoryBytes("r", Buffer.from(changed)));
          for (const file of files) expect(bytesOf(file)).toBeInstanceOf(Buffer);
        } catch (error) {
          expect(error).toBeInstanceOf(PolluxError);
        }
      }),
      { numRuns: 300 },
    );
  });
});
