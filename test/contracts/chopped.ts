import type { ByteSource } from "../../src/kernel/bytes.ts";

/**
 * Returns the bytes in chunks of the given sizes, in rotation, through one buffer that is
 * overwritten after each use: a reader that keeps a chunk without copying it reads garbage.
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
