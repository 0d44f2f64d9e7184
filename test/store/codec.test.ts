import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { CHUNK_BYTES, pack, unpack, unpackUntil } from "../../src/store/codec.ts";

/** Texts that compress to a small and to a usual part of their size, and bytes that do not. */
const CONTENTS: readonly (readonly [name: string, make: (length: number) => Buffer])[] = [
  ["one letter", (length) => Buffer.alloc(length, "a")],
  [
    "numbers",
    (length) =>
      Buffer.from(Array.from({ length }, (_, at) => `${at * 7} `).join("")).subarray(0, length),
  ],
  ["random", (length) => randomBytes(length)],
];

test.each(CONTENTS)("chunks of every size are the same after unpacking: %s", (_, make) => {
  for (const length of [0, 1, 63, 64, 65, 1000, 20_000, CHUNK_BYTES - 1, CHUNK_BYTES]) {
    const bytes = make(length);
    for (const effort of ["fast", "small"] as const) {
      const { codec, stored } = pack(bytes, effort);
      expect(stored.length).toBeLessThanOrEqual(length);
      expect(unpack(codec, stored, "archive.db").equals(bytes), `${length} ${effort}`).toBe(true);
    }
  }
});

test.each(CONTENTS)("the beginning of a chunk can be unpacked alone: %s", (_, make) => {
  const sizeBytes = CHUNK_BYTES;
  const bytes = make(sizeBytes);
  const { codec, stored } = pack(bytes, "fast");
  for (const end of [0, 1, 1000, 100_000, sizeBytes - 1, sizeBytes]) {
    const start = unpackUntil(end, { codec, stored, sizeBytes }, "archive.db");
    expect(start.length).toBeGreaterThanOrEqual(end);
    expect(start.equals(bytes.subarray(0, start.length)), `${end}`).toBe(true);
  }
});

test("for the beginning of a chunk, the rest is not unpacked", () => {
  // Half random, so that the compressed bytes are not all spare ones.
  const bytes = Buffer.from(randomBytes(CHUNK_BYTES / 2).toString("hex"));
  const chunk = { ...pack(bytes, "fast"), sizeBytes: bytes.length };
  expect(unpackUntil(1000, chunk, "archive.db").length).toBeLessThan(bytes.length / 2);
});
