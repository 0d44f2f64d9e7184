import { endianness } from "node:os";
import type { Fields, FieldTables } from "./fields.ts";
import { writeFields } from "./fields.ts";
import { PROGRAM } from "./program.ts";
import type { TextCheck } from "./row.ts";
import { Row } from "./row.ts";

const COMMA = 44;
const CLOSE_LIST = 93;

const PAGE = 65_536;
/** Zeroes behind the bytes: no text goes on there, and a step of the program ends in them. */
const PAD = 64;
/** What the program returns for bytes that are not JSON. */
export const BAD = -1;

interface Program extends FieldTables, TextCheck {
  FIRST: WebAssembly.Global;
  rowOf(fields: number): number;
  /** Line breaks are counted from now on; with 1, they are no white space. */
  begin(isOneLine: number): void;
  countBreaks(): number;
  space(at: number): number;
  value(at: number): number;
  record(at: number, fields: number): number;
  line(at: number, end: number, fields: number): number;
  lineEnd(at: number, end: number): number;
}

/** Gets an element of a list; says whether to go on. */
export type Visit = (element: Row) => boolean;

/** Wanted fields as they are known to a walk, with the row of what was found last. */
export interface KnownFields {
  readonly address: number;
  readonly row: Row;
}

/**
 * Walks over JSON and builds nothing but what is asked for. It is as strict as `JSON.parse`: every
 * value that it walks over to the end is JSON, and is nested at most 1,024 levels deep. The work is
 * done by a program in WebAssembly (assembly/), which compares 16 bytes with one instruction; it
 * works on its own memory, so that bytes are best read into `room` at once.
 *
 * Everything that a walk gives is valid until other bytes are loaded.
 */
export class JsonWalk {
  readonly #program: Program;
  readonly #memory = new WebAssembly.Memory({ initial: 1 });
  readonly #known = new Map<Fields, KnownFields>();
  readonly #lists: Fields[] = [];
  #visit: Visit | undefined;
  bytes: Buffer = Buffer.from(this.#memory.buffer);
  /** Where the loaded bytes begin and end. */
  readonly first: number;
  end: number;

  constructor(module: WebAssembly.Module) {
    const visitList = (list: number, at: number): number => this.#visitList(list, at);
    const imports = { env: { memory: this.#memory }, fields: { visitList } };
    this.#program = new WebAssembly.Instance(module, imports).exports as unknown as Program;
    this.first = this.#program.FIRST.value as number;
    this.end = this.first;
  }

  /** Memory that is held, whether it is needed or not. */
  get heldBytes(): number {
    return this.#memory.buffer.byteLength;
  }

  /** Room for so many bytes. Read a file into it, then `load` what was read: it is not copied. */
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
   * The wanted fields of the one value that all loaded bytes are; `undefined` when they are not
   * JSON. Elements of the lists that are wanted one by one are visited as they come: what was
   * visited is to be discarded when the whole turns out to be bad, or when `visit` gives false.
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
   * Walks over the line that begins at `at`, and gives where it ends: at its line break, or at the
   * end of the bytes. `BAD` when it is not JSON. A blank line has no record.
   */
  line(at: number, { address }: KnownFields): number {
    return this.#program.line(at, this.end, address);
  }

  /** Where the line ends that `at` stands on. What is on it is not looked at. */
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
 * The walk that everything in this thread shares: it is made when it is first needed, which takes
 * less than a millisecond. `undefined` where the processor lacks the instructions it takes; then
 * everything is to be parsed.
 */
export function jsonWalk(): JsonWalk | undefined {
  compiled ??= compile();
  if (compiled === "unsupported") return undefined;
  shared ??= new JsonWalk(compiled);
  return shared;
}

/** Gives the memory of the shared walk back. The memory of a program can grow, but not shrink. */
export function releaseJsonWalk(): void {
  shared = undefined;
}

function compile(): WebAssembly.Module | "unsupported" {
  // Rows are read as the processor writes numbers; the program writes their lowest byte first.
  if (endianness() !== "LE") return "unsupported";
  try {
    return new WebAssembly.Module(Buffer.from(PROGRAM, "base64"));
  } catch {
    // No instructions for 16 bytes at a time.
    return "unsupported";
  }
}
