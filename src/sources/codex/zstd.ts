import { Decompress } from "fzstd";
import type { ByteSource } from "../../kernel/bytes.ts";

/** Input per step. Its output is held in memory: a byte may unpack to thirty thousand. */
const PIECE_BYTES = 1 << 10;
/** Other decoders reject larger windows too. */
const MAX_WINDOW_BYTES = 1 << 27;
/** No text compresses this well; such a file was made to exhaust memory or time. */
const MAX_RATIO = 1000;
const FREE_BYTES = 1 << 26;

/** Codex compresses files that were not changed for a week: `rollout-….jsonl.zst`. */
export function isPacked(path: string): boolean {
  return path.endsWith(".zst");
}

const MAGIC = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);

/** The same by content, if the name is unknown. */
export function isPackedText(bytes: ByteSource): boolean {
  const head = Buffer.alloc(MAGIC.length);
  return bytes.fill(head) === MAGIC.length && head.equals(MAGIC);
}

/**
 * Returns the decompressed text of a packed file. Places refer to this text; the kept bytes stay
 * compressed.
 */
export function unpackedBytes(packed: ByteSource): ByteSource {
  const upTo = (end: number): Buffer => {
    const pieces: Buffer[] = [];
    let length = 0;
    for (const piece of unpack(packed)) {
      pieces.push(Buffer.from(piece));
      length += piece.length;
      if (length >= end) break;
    }
    return Buffer.concat(pieces).subarray(0, end);
  };
  return {
    path: packed.path,
    chunks: () => unpack(packed),
    range: (start, end) => Buffer.from(upTo(end).subarray(start)),
    fill: (target) => upTo(target.length).copy(target),
  };
}

function* unpack(packed: ByteSource): Iterable<Buffer> {
  if (windowOf(packed) > MAX_WINDOW_BYTES) throw new Error("its window is too large");
  let totalBytes = 0;
  let packedBytes = 0;
  const ready: Buffer[] = [];
  const stream = new Decompress((data) => {
    if (data.length > 0) ready.push(Buffer.from(data.buffer, data.byteOffset, data.byteLength));
  });
  for (const chunk of packed.chunks()) {
    for (let at = 0; at < chunk.length; at += PIECE_BYTES) {
      // Copied, because the decoder may keep its input and the chunk's memory is reused.
      const piece = Uint8Array.from(chunk.subarray(at, at + PIECE_BYTES));
      stream.push(piece);
      packedBytes += piece.length;
      for (const part of ready.splice(0)) {
        totalBytes += part.length;
        yield part;
      }
      const most = FREE_BYTES + packedBytes * MAX_RATIO;
      if (totalBytes > most) throw new Error("it unpacks to more than any text would");
    }
  }
  stream.push(new Uint8Array(0), true);
  yield* ready.splice(0);
}

/** Returns the window size of the decoder, from the header of the first frame. */
function windowOf(packed: ByteSource): number {
  const head = Buffer.alloc(18);
  const length = packed.fill(head);
  const descriptor = head[4] ?? 0;
  const isWhole = (descriptor & 0x20) !== 0;
  if (length < 6 || !head.subarray(0, MAGIC.length).equals(MAGIC)) return 0;
  if (!isWhole) {
    const window = head[5] ?? 0;
    const base = 2 ** (10 + (window >> 3));
    return base + (base / 8) * (window & 7);
  }
  // The window is the whole content; its length follows the dictionary id.
  const at = 5 + ([0, 1, 2, 4][descriptor & 3] ?? 0);
  const sizeBytes = [1, 2, 4, 8][descriptor >> 6] ?? 1;
  return sizeBytes === 8 ? Number(head.readBigUInt64LE(at)) : head.readUIntLE(at, sizeBytes);
}
