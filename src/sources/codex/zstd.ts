import { Decompress } from "fzstd";
import type { ByteSource } from "../../kernel/bytes.ts";

/** A smaller piece gives less at once: what one push unpacks is held in memory. */
const PIECE_BYTES = 1 << 16;

/** The program packs files that were not touched for a week: `rollout-….jsonl.zst`. */
export function isPacked(path: string): boolean {
  return path.endsWith(".zst");
}

const MAGIC = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);

/** The same, for bytes whose name may be another one. */
export function isPackedText(bytes: ByteSource): boolean {
  const head = Buffer.alloc(MAGIC.length);
  return bytes.fill(head) === MAGIC.length && head.equals(MAGIC);
}

/**
 * The unpacked text of a packed file. Places refer to this text: the bytes that are kept stay the
 * packed ones.
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
  const ready: Buffer[] = [];
  const stream = new Decompress((data) => {
    if (data.length > 0) ready.push(Buffer.from(data.buffer, data.byteOffset, data.byteLength));
  });
  for (const chunk of packed.chunks()) {
    for (let at = 0; at < chunk.length; at += PIECE_BYTES) {
      // The decoder may keep what it was given; the memory of a chunk is used again.
      stream.push(Uint8Array.from(chunk.subarray(at, at + PIECE_BYTES)));
      yield* ready.splice(0);
    }
  }
  stream.push(new Uint8Array(0), true);
  yield* ready.splice(0);
}
