/** The part of a stream that writing needs. */
export interface OutStream {
  write(text: string): boolean;
  once(event: "drain", listener: () => void): unknown;
  isTTY?: boolean;
  columns?: number;
}

/** Writes text, with backpressure. */
export class Writer {
  readonly #stream: OutStream;

  constructor(stream: OutStream) {
    this.#stream = stream;
  }

  async write(text: string): Promise<void> {
    if (this.#stream.write(text)) return;
    await new Promise<void>((resolve) => void this.#stream.once("drain", resolve));
  }

  async line(text = ""): Promise<void> {
    await this.write(`${text}\n`);
  }
}
