import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { CHUNK_BYTES, pack, unpack } from "../../src/store/codec.ts";

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
