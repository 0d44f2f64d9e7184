import { BREAKS, FIRST, ROW_BYTES, ROWS, writeTables } from "./layout.ts";
import { walkProgram } from "./program.ts";
import { Row } from "./row.ts";
import { BAD } from "./scalars.ts";

const COMMA = 44;
const OPEN_LIST = 91;
const CLOSE_LIST = 93;

const PAGE = 65_536;
const PAD = 64;

interface Program {
  space(at: number): number;
  value(at: number): number;
  record(at: number, row: number): number;
}

/** Takes where an element of a list begins; says where it ends. */
export type OnItem = (at: number) => number;

/**
 * Walks over JSON without building it, and is as strict as `JSON.parse`: whatever ends well here is
 * JSON. JavaScript has no instructions for many bytes at a time, so the walk itself is a program
 * for WebAssembly. All offsets are those of the walker's own bytes.
 */
export class Walker {
  readonly #memory = new WebAssembly.Memory({ initial: 32 });
  readonly #program: Program;
  bytes: Buffer = Buffer.alloc(0);
  /** Behind the last byte. */
  end: number = FIRST;
  /** What was found in the last record, and in the last one of its messages. */
  readonly row: Row = new Row();
  readonly message: Row = new Row();
  #onMessage: OnItem | undefined;

  constructor() {
    const messages = (at: number): number => this.#messages(at);
    const module = new WebAssembly.Module(walkProgram());
    const outside = { memory: this.#memory, messages };
    const { exports } = new WebAssembly.Instance(module, { outside });
    this.#program = exports as unknown as Program;
    writeTables(this.#memory);
  }

  /** Where bytes can be put to be walked over without a copy. */
  room(length: number): Buffer {
    this.#reserve(length);
    return this.bytes.subarray(FIRST, FIRST + length);
  }

  load(bytes: Buffer): void {
    const isThere = bytes.buffer === this.bytes.buffer && bytes.byteOffset === FIRST;
    this.#reserve(bytes.length);
    if (!isThere) bytes.copy(this.bytes, FIRST);
    this.end = FIRST + bytes.length;
    // Zeroes are control characters: no text goes on behind the end.
    this.bytes.fill(0, this.end, this.end + PAD);
    this.bytes.writeInt32LE(0, BREAKS);
  }

  /** Line breaks that were walked over. */
  get breaks(): number {
    return this.bytes.readInt32LE(BREAKS);
  }

  /** The next byte that is no white space. */
  space(at: number): number {
    return this.#program.space(at);
  }

  /** Behind a record. Its messages are told one by one, if that is wished. */
  walkRecord(at: number, onMessage?: OnItem): number {
    this.#onMessage = onMessage;
    return this.#program.record(at, ROWS);
  }

  /** Behind one of the messages of a record. */
  walkMessage(at: number): number {
    return this.#program.record(at, ROWS + ROW_BYTES);
  }

  #messages(at: number): number {
    const onMessage = this.#onMessage;
    // A list inside of a message is none of the session's.
    this.#onMessage = undefined;
    return onMessage ? this.#list(at, onMessage) : this.#program.value(at);
  }

  #list(from: number, onItem: OnItem): number {
    const { bytes } = this;
    if (bytes[from] !== OPEN_LIST) return BAD;
    let at = this.space(from + 1);
    if (bytes[at] === CLOSE_LIST) return at + 1;
    for (;;) {
      at = onItem(at);
      if (at === BAD) return BAD;
      at = this.space(at);
      const byte = bytes[at];
      if (byte === CLOSE_LIST) return at + 1;
      if (byte !== COMMA) return BAD;
      at = this.space(at + 1);
    }
  }

  #reserve(length: number): void {
    const missing = FIRST + length + PAD - this.#memory.buffer.byteLength;
    if (missing > 0) this.#memory.grow(Math.ceil(missing / PAGE));
    const { buffer } = this.#memory;
    if (this.bytes.buffer === buffer) return;
    this.bytes = Buffer.from(buffer);
    this.row.lookAt(buffer, ROWS);
    this.message.lookAt(buffer, ROWS + ROW_BYTES);
  }
}
