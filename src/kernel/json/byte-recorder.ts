/** Limit near the maximum length of a string; longer recordings are cut. */
const MAX_BYTES = 400 * 1024 * 1024;

/**
 * Records bytes that may span several chunks. Chunks are copied because their memory is reused.
 */
export class ByteRecorder {
  /** -1 while not recording. */
  start = -1;
  #pieces: Buffer[] = [];
  #length = 0;

  get isOn(): boolean {
    return this.start !== -1;
  }

  begin(offset: number): void {
    this.start = offset;
  }

  /** Records the part of a chunk (or of its beginning) that belongs to the recording. */
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

  /** Ends the recording with this chunk and returns all bytes. */
  take(chunk: Buffer, offset: number): Buffer {
    const last = this.isOn ? chunk.subarray(Math.max(0, this.start - offset)) : Buffer.alloc(0);
    const bytes = this.#pieces.length === 0 ? last : Buffer.concat([...this.#pieces, last]);
    this.start = -1;
    this.#pieces = [];
    this.#length = 0;
    return bytes;
  }
}
