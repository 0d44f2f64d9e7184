import { createHash, createPrivateKey, createPublicKey } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { open } from "../../src/library/library.ts";
import { decodeSign1, toBeSigned } from "../../src/records/cose/sign1.ts";
import { readPublicKey } from "../../src/records/cose/keys.ts";
import type { Verification } from "../../src/records/findings.ts";
import { RecordFile } from "../../src/records/record-file.ts";
import { signRecord } from "../../src/records/sign.ts";
import { verifyRecord } from "../../src/records/verify.ts";
import { fileBytes } from "../../src/kernel/bytes.ts";
import { asFile, recordBytes, recordOf, rootWith, schema } from "./made.ts";
import { bytesOf, isSame, restored } from "./round-trip.ts";

/**
 * A session of our own, with the record expected by the rules of the draft's scripts. Optional data
 * outside the repository: a real session, the record those scripts make of it, handmade inputs, and
 * signatures by another implementation.
 */
const folder = join("..", "shared", "vac");
const isHere = existsSync(folder);
const WHY = isHere ? "" : ` (not beside the project: ${folder})`;
const vectors = join(folder, "vectors");
const read = (name: string): Buffer => readFileSync(join(vectors, name));

function joined(chunks: Iterable<Buffer>): Buffer {
  return Buffer.concat([...chunks].map((chunk) => Buffer.from(chunk)));
}

/** `path first-last …` of each file written by a session. */
function linesWritten(record: Record<string, unknown>): string[][] {
  const attribution = record["file-attribution"] as {
    files: { path: string; conversations: { ranges: Record<string, number>[] }[] }[];
  };
  return attribution.files.map(({ path, conversations }) => {
    const own = conversations.flatMap(({ ranges }) => ranges);
    return [path, ...own.map((range) => `${range["start-line"]}-${range["end-line"]}`)];
  });
}

describe("a session of our own", () => {
  const own = join("test", "fixtures", "records");
  const text = readFileSync(join(own, "session.json"), "utf8");
  const root = (): string => rootWith("session-2026-05-04T10-00-5e551042.json", text);

  it("becomes the record that the draft's scripts would make", async () => {
    const wanted: unknown = JSON.parse(readFileSync(join(own, "reference.json"), "utf8"));
    expect(await recordOf(root(), { profile: "reference" })).toEqual(wanted);
  });

  it("is restored from the lossless record", async () => {
    const record = await recordBytes(root());
    expect(schema.checkRecord(asFile(record))).toBeUndefined();
    const [file] = await restored(record);
    expect(isSame(text, file ? bytesOf(file).toString("utf8") : "")).toBe(true);
  });

  it("has line ranges of the requested file, not of the refused one", async () => {
    expect(linesWritten(await recordOf(root()))).toEqual([["greeting.txt", "1-4"]]);
  });
});

describe.skipIf(!isHere)(`the real session${WHY}`, () => {
  const text = isHere ? readFileSync(join(folder, "example-gemini.json"), "utf8") : "";
  const root = (): string => rootWith("session-2026-02-10T17-27-08c1f87b.json", text);

  it("becomes exactly the record of the draft's scripts", async () => {
    const record = await recordBytes(root(), "latest", { profile: "reference" });
    const wanted: unknown = JSON.parse(readFileSync(join(folder, "reference-gemini.json"), "utf8"));
    expect(JSON.parse(record.toString("utf8"))).toEqual(wanted);
    expect(createHash("sha256").update(record).digest("hex")).toBe(
      "3f92f681811db6a938c02542ba53343ba79bb0f0cd5d7eadea6e11be4daa2107",
    );
  });

  it("is restored from the lossless record", async () => {
    const record = await recordBytes(root());
    expect(schema.checkRecord(asFile(record))).toBeUndefined();
    const [file] = await restored(record);
    expect(isSame(text, file ? bytesOf(file).toString("utf8") : "")).toBe(true);
  });

  it("has the line ranges that its later reads show", async () => {
    const ranges = linesWritten(await recordOf(root()));
    expect(ranges).toEqual([
      ["blosc/frame.c", "809-812", "1298-1299", "1305-1308"],
      ["repro.c", "1-31"],
    ]);
  });
});

interface EdgeCase {
  name: string;
  native?: object;
  nativeLines?: object[];
  reference?: Record<string, unknown>;
}

describe.skipIf(!isHere)(`handmade inputs${WHY}`, () => {
  const file = join(folder, "gemini-edge-cases.json");
  const cases = isHere ? (JSON.parse(readFileSync(file, "utf8")) as EdgeCase[]) : [];

  it.each(cases)("$name", async ({ native, nativeLines, reference }) => {
    const text = native
      ? JSON.stringify(native, null, 2)
      : (nativeLines ?? []).map((line) => `${JSON.stringify(line)}\n`).join("");
    const extension = native ? "json" : "jsonl";
    const root = rootWith(`session-2026-01-01T00-00-sid.${extension}`, text);
    const [session] = (await open({ roots: [root] }).sessions()).sessions;
    const record = await recordBytes(root, session?.id);
    expect(schema.checkRecord(asFile(record))).toBeUndefined();
    const [back] = await restored(record);
    expect(isSame(text, back ? bytesOf(back).toString("utf8") : "")).toBe(true);
    const options = { profile: "reference" } as const;
    const own = reference ? await recordOf(root, options, session?.id) : {};
    expect(withoutRandomId(own)).toEqual(withoutRandomId(reference ?? {}));
  });
});

/** The scripts invent an id for a session without one; ours is the file name. */
function withoutRandomId(record: Record<string, unknown>): unknown {
  const text = JSON.stringify(record);
  return JSON.parse(text.replace(/<random uuid>|session-2026-01-01T00-00-sid/g, "-"));
}

describe.skipIf(!isHere)(`vectors${WHY}`, () => {
  const small = join(vectors, "small.record.json");

  function verified(name: string, record = small): Verification {
    const key = name.includes("es256") ? "test-p256.pub.pem" : "test-ed25519.pub.pem";
    const publicKey = readPublicKey(read(key).toString("utf8"));
    const input = { signature: read(name), record: fileBytes(record), key: publicKey };
    return verifyRecord({ ...input, mode: "strict" }, schema);
  }

  it.each(["nasty", "small"])("%s has the expected canonical bytes", (name) => {
    const record = new RecordFile(fileBytes(join(vectors, `${name}.record.json`)));
    expect(joined(record.canonical()).equals(read(`${name}.canonical.json`))).toBe(true);
  });

  it.each([
    "small.ed25519.ref.sig.cbor",
    "small.ed25519.iss-override.ref.sig.cbor",
    "small.es256.pycose.sig.cbor",
  ])("%s verifies", (name) => {
    const { isVerified, levels } = verified(name);
    expect({ isVerified, levels }).toMatchObject({
      isVerified: true,
      levels: { signature: "passed", metadata: "passed", schema: "passed" },
    });
  });

  it.each([
    ["neg-algflip.sig.cbor", "alg-key-mismatch"],
    ["neg-nocwt.sig.cbor", "bad-signature"],
    ["neg-sigflip.sig.cbor", "bad-signature"],
    ["neg-trailing.sig.cbor", "malformed-cbor"],
    ["neg-truncated.sig.cbor", "malformed-cbor"],
    ["neg-udrophash.sig.cbor", "content-hash-missing"],
    ["neg-uhash.sig.cbor", "content-hash-mismatch"],
    ["neg-usid.sig.cbor", "metadata-mismatch"],
    ["neg-uvendor.sig.cbor", "metadata-mismatch"],
  ])("%s is rejected: %s", (name, code) => {
    const { isVerified, findings } = verified(name);
    expect(isVerified).toBe(false);
    expect(findings[0]?.code).toBe(code);
  });

  it("all negative vectors are covered", () => {
    const negative = readdirSync(vectors).filter((name) => name.startsWith("neg-"));
    expect(negative).toHaveLength(10);
  });

  it("a record with a duplicate key is rejected", () => {
    const record = join(vectors, "neg-duplicate-key.record.json");
    const { isVerified, findings } = verified("small.ed25519.ref.sig.cbor", record);
    expect(isVerified).toBe(false);
    expect(findings.map(({ code }) => code)).toEqual(["malformed-record"]);
  });

  it("signing with the same key gives the same bytes", () => {
    const secret = createHash("sha256")
      .update("vac research test key ed25519 - NOT SECRET")
      .digest();
    const opening = Buffer.from("302e020100300506032b657004220420", "hex");
    const der = Buffer.concat([opening, secret]);
    const key = createPrivateKey({ key: der, format: "der", type: "pkcs8" });
    const record = new RecordFile(fileBytes(small));
    const signed = signRecord(record, schema, { key, issuer: "google", payload: "detached" });
    const ours = joined(signed.chunks());
    expect(ours.equals(read("small.ed25519.ref.sig.cbor"))).toBe(true);
    const payload = { sizeBytes: signed.payloadBytes, chunks: record.canonical() };
    const message = joined(toBeSigned(decodeSign1(ours).protectedBytes, payload));
    expect(message.equals(read("small.ed25519.tbs.bin"))).toBe(true);
    expect(createPublicKey(key).export({ format: "pem", type: "spki" })).toBe(
      read("test-ed25519.pub.pem").toString("utf8"),
    );
  });
});
