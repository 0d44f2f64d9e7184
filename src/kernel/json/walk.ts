import { endianness } from "node:os";
import type { Fields, FieldTables } from "./fields.ts";
import { writeFields } from "./fields.ts";
import { PROGRAM } from "./program.ts";
import type { TextCheck } from "./row.ts";
import { Row } from "./row.ts";

const COMMA = 44;
const CLOSE_LIST = 93;

const PAGE = 65_536;
/** Zeroes after the bytes: every step of the program stops at them. */
const PAD = 64;
/** Returned by the program for bytes that are not JSON. */
export const BAD = -1;

interface Program extends FieldTables, TextCheck {
  FIRST: WebAssembly.Global;
  rowOf(fields: number): number;
  /** Resets the count of line breaks; with 1, line breaks are not white space. */
  begin(isOneLine: number): void;
  countBreaks(): number;
  space(at: number): number;
  value(at: number): number;
  record(at: number, fields: number): number;
  line(at: number, end: number, fields: number): number;
  lineEnd(at: number, end: number): number;
}

/** Receives an element of a list; returns whether to continue. */
export type Visit = (element: Row) => boolean;

/** Wanted fields as registered with a walk, and the row of the last record. */
export interface KnownFields {
  readonly address: number;
  readonly row: Row;
}

/**
 * Walks JSON and decodes only what is requested. It is as strict as `JSON.parse`: every value that
 * it walks to the end is valid JSON, nested at most 1,024 levels deep. The work is done by a
 * WebAssembly program (assembly/) that compares 16 bytes with one instruction. It works on its own
 * memory, so read bytes directly into `room` to avoid a copy.
 *
 * Everything that a walk returns is valid until other bytes are loaded.
 */
export class JsonWalk {
  readonly #program: Program;
  readonly #memory = new WebAssembly.Memory({ initial: 1 });
  readonly #known = new Map<Fields, KnownFields>();
  readonly #lists: Fields[] = [];
  #visit: Visit | undefined;
  bytes: Buffer = Buffer.from(this.#memory.buffer);
  /** Start and end of the loaded bytes. */
  readonly first: number;
  end: number;

  constructor(module: WebAssembly.Module) {
    const visitList = (list: number, at: number): number => this.#visitList(list, at);
    const imports = { env: { memory: this.#memory }, fields: { visitList } };
    this.#program = new WebAssembly.Instance(module, imports).exports as unknown as Program;
    this.first = this.#program.FIRST.value as number;
    this.end = this.first;
  }

  /** Allocated memory, used or not. */
  get heldBytes(): number {
    return this.#memory.buffer.byteLength;
  }

  /**
   * Returns memory for this many bytes. Read a file into it, then `load` what was read: it is not
   * copied.
   */
  room(length: number): Buffer {
    this.#reserve(length);
    return this.bytes.subarray(this.first, this.first + length);
  }

  load(bytes: Buffer): void {
    const isThere = bytes.buffer === this.bytes.buffer && bytes.byteOffset === this.first;
    this.#reserve(bytes.length);
    if (!isThere) bytes.copy(this.bytes, this.first);
    this.end = this.first + bytes.length;
    this.bytes.fill(0, this.end, this.end + PAD);
  }

  /**
   * Returns the wanted fields of the loaded bytes, which must be a single JSON value; otherwise
   * `undefined`. Elements of lists with wanted fields are visited as they are walked. If the result
   * is `undefined`, because the JSON is bad or `visit` returned false, the caller discards what it
   * has visited.
   */
  document(fields: Fields, visit?: Visit): Row | undefined {
    const program = this.#program;
    program.begin(0);
    const { address, row } = this.known(fields);
    const start = program.space(this.first);
    row.line = program.countBreaks() + 1;
    this.#visit = visit;
    const end = program.record(start, address);
    this.#visit = undefined;
    return end !== BAD && program.space(end) === this.end ? row : undefined;
  }

  known(fields: Fields): KnownFields {
    return this.#known.get(fields) ?? this.#learn(fields);
  }

  /**
   * Walks the line that begins at `at`. Returns its end (the line break, or the end of the bytes),
   * or `BAD` if it is not JSON. A blank line has no record.
   */
  line(at: number, { address }: KnownFields): number {
    return this.#program.line(at, this.end, address);
  }

  /** Returns the end of the line that contains `at`, without checking its content. */
  lineEnd(at: number): number {
    return this.#program.lineEnd(at, this.end);
  }

  #visitList(list: number, from: number): number {
    const program = this.#program;
    const visit = this.#visit;
    const fields = this.#lists[list - 1];
    if (!visit || !fields) return program.value(from);
    const { address, row } = this.known(fields);
    const { bytes } = this;
    let at = program.space(from + 1);
    if (bytes[at] === CLOSE_LIST) return at + 1;
    for (;;) {
      row.line = program.countBreaks() + 1;
      at = program.record(at, address);
      if (at === BAD || !visit(row)) return BAD;
      at = program.space(at);
      const byte = bytes[at];
      if (byte === CLOSE_LIST) return at + 1;
      if (byte !== COMMA) return BAD;
      at = program.space(at + 1);
    }
  }

  #learn(fields: Fields): KnownFields {
    const listOf = (list: Fields): number => this.#lists.push(list);
    const address = writeFields(this.#program, { fields, memory: this.bytes }, listOf);
    const known = { address, row: new Row(this.#program) };
    known.row.lookAt(this.bytes, this.#program.rowOf(address), fields.slots);
    this.#known.set(fields, known);
    return known;
  }

  #reserve(length: number): void {
    const missing = this.first + length + PAD - this.#memory.buffer.byteLength;
    if (missing > 0) this.#memory.grow(Math.ceil(missing / PAGE));
    if (this.bytes.buffer === this.#memory.buffer) return;
    this.bytes = Buffer.from(this.#memory.buffer);
    for (const [fields, { address, row }] of this.#known) {
      row.lookAt(this.bytes, this.#program.rowOf(address), fields.slots);
    }
  }
}

let compiled: WebAssembly.Module | "unsupported" | undefined;
let shared: JsonWalk | undefined;

/**
 * Returns the walk that is shared within this thread. It is created when first needed, which takes
 * less than a millisecond. `undefined` if the processor lacks the required instructions; callers
 * must then use `JSON.parse`.
 */
export function jsonWalk(): JsonWalk | undefined {
  compiled ??= compile();
  if (compiled === "unsupported") return undefined;
  shared ??= new JsonWalk(compiled);
  return shared;
}

/** Releases the memory of the shared walk, because WebAssembly memory can grow but not shrink. */
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
