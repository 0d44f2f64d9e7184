/** No string can hold more; what is recorded beyond it is cut. */
const MAX_BYTES = 400 * 1024 * 1024;

/** Bytes that may begin in one chunk and end in another; the memory of a chunk is used again. */
export class ByteRecorder {
  /** -1 while nothing is recorded. */
  start = -1;
  #pieces: Buffer[] = [];
  #length = 0;

  get isOn(): boolean {
    return this.start !== -1;
  }

  begin(offset: number): void {
    this.start = offset;
  }

  /** Keeps what a chunk, or its beginning, has of it. */
  keep(chunk: Buffer, offset: number): void {
    if (!this.isOn || this.#length > MAX_BYTES) return;
    const piece = Buffer.from(chunk.subarray(Math.max(0, this.start - offset)));
    this.#pieces.push(piece);
    this.#length += piece.length;
  }

  pause(chunk: Buffer, offset: number): void {
    this.keep(chunk, offset);
    this.start = -1;
  }

  /** All of it, when it ends with this chunk. */
  take(chunk: Buffer, offset: number): Buffer {
    const last = this.isOn ? chunk.subarray(Math.max(0, this.start - offset)) : Buffer.alloc(0);
    const bytes = this.#pieces.length === 0 ? last : Buffer.concat([...this.#pieces, last]);
    this.start = -1;
    this.#pieces = [];
    this.#length = 0;
    return bytes;
  }
}
