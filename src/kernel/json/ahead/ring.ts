import type { PlainFields } from "../fields.ts";
import type { Part } from "../part.ts";
import type { WalkMemory } from "../row.ts";
import type { WalkBuffer } from "../walk.ts";
import { newWalkMemory, bufferAt } from "../walk.ts";

/** A file to read: lines, or one document of a known size. */
export interface FileAhead {
  path: string;
  sizeBytes: number;
  as: "lines" | "document";
  /** Its wanted fields, by their place in the list of all. */
  fields: number;
}

/** What the thread gets when it starts, and its work. */
export interface ThreadStart {
  program: WebAssembly.Module;
  shared: SharedRing;
}

export interface Work {
  files: readonly FileAhead[];
  fields: readonly PlainFields[];
}

/** The memory that both threads use. */
export interface SharedRing {
  memory: WebAssembly.Memory;
  control: Int32Array;
  slots: Float64Array;
}

/**
 * Parts in flight: enough that neither thread waits for every part of the other. A buffer takes a
 * document of a megabyte and a half; lines use less of it. With all of them in use, the writer
 * waits until some are free: waking a thread costs more than a small part.
 */
const BUFFERS = 6;
const FREE_BUFFERS = 3;
const BUFFER_BYTES = 1536 * 1024;
const PAGE = 65_536;
const FIRST = PAGE;

/** Indexes of the control: parts written and parts used so far. */
const WRITTEN = 0;
const USED = 1;
const CONTROLS = 2;

/** Numbers that describe the part in a buffer. */
const FILE = 0;
const STATE = 1;
const OFFSET = 2;
const END = 3;
const NEXT_LINE = 4;
const COUNT = 5;
const IS_UTF8 = 6;
const NUMBERS = 7;

/** Whether more parts of the file follow; with "left", the rest is left to the other thread. */
export type PartState = "more" | "last" | "left";
const STATES: readonly PartState[] = ["more", "last", "left"];

function bufferOf(part: number): WalkBuffer {
  const size = bufferAt(0, BUFFER_BYTES).end;
  return bufferAt(FIRST + (part % BUFFERS) * (Math.ceil(size / PAGE) * PAGE), BUFFER_BYTES);
}

export function newRing(): SharedRing {
  const pages = Math.ceil(bufferOf(BUFFERS - 1).end / PAGE);
  const share = (bytes: number): SharedArrayBuffer => new SharedArrayBuffer(bytes);
  return {
    memory: newWalkMemory(pages),
    control: new Int32Array(share(CONTROLS * Int32Array.BYTES_PER_ELEMENT)),
    slots: new Float64Array(share(BUFFERS * NUMBERS * Float64Array.BYTES_PER_ELEMENT)),
  };
}

/** The side that writes parts. */
export class RingWriter {
  readonly #ring: SharedRing;
  #written = 0;

  constructor(ring: SharedRing) {
    this.#ring = ring;
  }

  /** Waits for a free buffer. */
  buffer(): WalkBuffer {
    const { control } = this.#ring;
    let most = BUFFERS - 1;
    for (;;) {
      const used = Atomics.load(control, USED);
      if (this.#written - used <= most) return bufferOf(this.#written);
      most = BUFFERS - FREE_BUFFERS;
      Atomics.wait(control, USED, used);
    }
  }

  /** Publishes what is in the buffer: a part of a file and the line after it, or nothing. */
  publish(file: number, state: PartState, walked?: { part: Part; nextLine: number }): void {
    const { control, slots } = this.#ring;
    const { first } = bufferOf(this.#written);
    const { offset = 0, end = first, count = 0, isUtf8 = true } = walked?.part ?? {};
    const at = (this.#written % BUFFERS) * NUMBERS;
    slots[at + FILE] = file;
    slots[at + STATE] = STATES.indexOf(state);
    slots[at + OFFSET] = offset;
    slots[at + END] = end;
    slots[at + NEXT_LINE] = walked?.nextLine ?? 1;
    slots[at + COUNT] = count;
    slots[at + IS_UTF8] = isUtf8 ? 1 : 0;
    this.#written += 1;
    Atomics.store(control, WRITTEN, this.#written);
    Atomics.notify(control, WRITTEN);
  }
}

/** After this time the other thread is taken for dead, and everything is read by this one. */
const PATIENCE_MS = 5000;

/** A part of a file, and the line after it. */
export interface ReadPart {
  file: number;
  state: PartState;
  part: Part;
  nextLine: number;
}

/** The side that uses parts, in the order in which they were written. */
export class RingReader {
  readonly #ring: SharedRing;
  readonly #memory: WalkMemory;
  #used = 0;
  #isDead = false;

  constructor(ring: SharedRing, memory: WalkMemory) {
    this.#ring = ring;
    this.#memory = memory;
  }

  /** Waits for the next part; undefined if none comes. It is valid until it is released. */
  peek(): ReadPart | undefined {
    const { control, slots } = this.#ring;
    while (!this.#isDead && Atomics.load(control, WRITTEN) === this.#used) {
      this.#isDead = Atomics.wait(control, WRITTEN, this.#used, PATIENCE_MS) === "timed-out";
    }
    if (this.#isDead) return undefined;
    const at = (this.#used % BUFFERS) * NUMBERS;
    const { first, records } = bufferOf(this.#used);
    const number = (column: number): number => slots[at + column] ?? 0;
    const offset = number(OFFSET);
    const [end, count, isUtf8] = [number(END), number(COUNT), number(IS_UTF8) === 1];
    return {
      file: number(FILE),
      state: STATES[number(STATE)] ?? "left",
      part: { memory: this.#memory, first, end, offset, records, count, isUtf8 },
      nextLine: number(NEXT_LINE),
    };
  }

  release(): void {
    this.#used += 1;
    const { control } = this.#ring;
    Atomics.store(control, USED, this.#used);
    const isEnough = Atomics.load(control, WRITTEN) - this.#used <= BUFFERS - FREE_BUFFERS;
    if (isEnough) Atomics.notify(control, USED);
  }
}
