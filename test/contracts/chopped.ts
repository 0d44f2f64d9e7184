import type { ByteSource } from "../../src/kernel/bytes.ts";

/**
 * The bytes in chunks of the given sizes, over and over, through one buffer that is spoilt after
 * each use: whoever keeps a chunk without copying it reads rubbish.
 */
export function chopped(path: string, bytes: Buffer, sizes: readonly number[]): ByteSource {
  return {
    path,
    range: (start, end) => Buffer.from(bytes.subarray(start, end)),
    fill: (target) => bytes.copy(target),
    *chunks() {
      const buffer = Buffer.alloc(Math.max(1, ...sizes));
      for (let start = 0, turn = 0; start < bytes.length; turn += 1) {
        const size = Math.max(1, sizes[turn % sizes.length] ?? 1);
        const count = bytes.copy(buffer, 0, start, start + size);
        yield buffer.subarray(0, count);
        buffer.fill(0x7b);
        start += count;
      }
    },
  };
}
