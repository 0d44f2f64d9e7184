import { endianness } from "node:os";
import type { Fields, FieldTables } from "./fields.ts";
import { writeFields } from "./fields.ts";
import { PROGRAM } from "./program.ts";
import type { TextCheck, WalkMemory } from "./row.ts";

const PAGE = 65_536;
/** As declared by the program. */
const MAX_PAGES = 16_384;
/** Zeroes after the bytes: every step of the program stops at them. */
const PAD = 64;

interface Program extends FieldTables, TextCheck {
  FIRST: WebAssembly.Global;
  begin(records: number, end: number, line: number): void;
  lines(at: number, end: number, fields: number): number;
  document(at: number, end: number, fields: number): number;
  countRecords(): number;
  nextLine(): number;
}

/** Addresses of the bytes, of the zeroes after them, and of the records found in them. */
export interface WalkBuffer {
  first: number;
  /** The most bytes that fit. */
  sizeBytes: number;
  records: number;
  end: number;
}

/** Returns a buffer that begins at an address; a quarter of its size is for records. */
export function bufferAt(first: number, sizeBytes: number): WalkBuffer {
  const records = (first + sizeBytes + PAD + 15) & ~15;
  return { first, sizeBytes, records, end: records + Math.max(LEAST_RECORDS, sizeBytes >> 2) };
}

const LEAST_RECORDS = 65_536;

/** Bytes in a buffer, up to an address, and what to note of them. */
export interface Loaded {
  buffer: WalkBuffer;
  end: number;
  fields: Fields;
}

/**
 * Walks JSON and notes the positions of what is requested. It is as strict as `JSON.parse`: every
 * value that it walks to the end is valid JSON, nested at most 1,024 levels deep. The work is done
 * by a WebAssembly program (assembly/) that compares 16 bytes with one instruction. It works on its
 * own memory, so read bytes directly into a buffer there to avoid a copy. Two threads may share the
 * memory: one walks, the other one reads what was found.
 */
export class JsonWalk implements WalkMemory {
  readonly program: Program;
  readonly memory: WebAssembly.Memory;
  readonly #known = new Map<Fields, number>();
  bytes: Buffer;
  notes: Int32Array;
  /** The first address of buffers. */
  readonly first: number;

  constructor(module: WebAssembly.Module, memory: WebAssembly.Memory = newWalkMemory(1)) {
    this.memory = memory;
    this.bytes = Buffer.from(memory.buffer);
    this.notes = new Int32Array(memory.buffer);
    const instance = new WebAssembly.Instance(module, { env: { memory } });
    this.program = instance.exports as unknown as Program;
    this.first = this.program.FIRST.value as number;
  }

  /** Allocated memory, used or not. */
  get heldBytes(): number {
    return this.memory.buffer.byteLength;
  }

  /** Returns a buffer for this many bytes. There is only one, always at the first address. */
  buffer(sizeBytes: number): WalkBuffer {
    const buffer = bufferAt(this.first, sizeBytes);
    const missing = buffer.end - this.memory.buffer.byteLength;
    if (missing > 0) this.memory.grow(Math.ceil(missing / PAGE));
    if (this.bytes.buffer !== this.memory.buffer) {
      this.bytes = Buffer.from(this.memory.buffer);
      this.notes = new Int32Array(this.memory.buffer);
    }
    return buffer;
  }

  /**
   * Walks the whole lines up to `end`; the first one has this number. Returns the address where it
   * stopped: at `end`, or before that if the space for records is full.
   */
  lines({ buffer, end, fields }: Loaded, line: number): number {
    this.program.begin(buffer.records, buffer.end, line);
    return this.program.lines(buffer.first, end, this.#addressOf(fields));
  }

  /**
   * Walks one value: the first record is the value itself, the others are elements of its wanted
   * lists. Returns false if it is not JSON, or if the space for records is too small.
   */
  document({ buffer, end, fields }: Loaded): boolean {
    this.program.begin(buffer.records, buffer.end, 1);
    return this.program.document(buffer.first, end, this.#addressOf(fields)) === 1;
  }

  /** Writes the zeroes that have to follow the bytes. */
  endAt(address: number): void {
    // A loop, because calling `fill` takes longer than filling so few bytes.
    for (let at = address; at < address + PAD; at += 1) this.bytes[at] = 0;
  }

  #addressOf(fields: Fields): number {
    let address = this.#known.get(fields);
    if (address === undefined) {
      address = writeFields(this.program, fields, this.bytes);
      this.#known.set(fields, address);
    }
    return address;
  }
}

/** Memory of a walk. It can be passed to another thread. */
export function newWalkMemory(pages: number): WebAssembly.Memory {
  return new WebAssembly.Memory({ initial: pages, maximum: MAX_PAGES, shared: true });
}

let compiled: WebAssembly.Module | "unsupported" | undefined;
let shared: JsonWalk | undefined;

/** The compiled program; undefined if the processor lacks the required instructions. */
export function walkProgram(): WebAssembly.Module | undefined {
  compiled ??= compile();
  return compiled === "unsupported" ? undefined : compiled;
}

/**
 * Returns the walk of this thread. It is created when first needed, which takes less than a
 * millisecond. `undefined` if the processor lacks the required instructions; callers must then use
 * `JSON.parse`.
 */
export function jsonWalk(): JsonWalk | undefined {
  const program = walkProgram();
  if (program) shared ??= new JsonWalk(program);
  return shared;
}

/** Releases the memory of the walk, because WebAssembly memory can grow but not shrink. */
export function releaseJsonWalk(): void {
  shared = undefined;
}

function compile(): WebAssembly.Module | "unsupported" {
  // Rows are read in the processor's byte order, and WebAssembly writes little-endian.
  if (endianness() !== "LE") return "unsupported";
  try {
    return new WebAssembly.Module(Buffer.from(PROGRAM, "base64"));
  } catch {
    // WebAssembly SIMD is not supported.
    return "unsupported";
  }
}
