/**
 * A few instructions of WebAssembly by name, so that a program for it can be written and read as
 * code. An operand is a number, the name of a local variable, or an instruction that gives a value.
 * All values are 32-bit numbers, but for the sixteen bytes of a chunk.
 */
export type Code = (into: Scope) => void;
export type Operand = number | string | Code;

/** The function that is being written. */
interface Scope {
  bytes: number[];
  locals: readonly string[];
  functions: readonly string[];
  /** Of what is open, the innermost last. */
  labels: string[];
}

export interface WasmFunction {
  name: string;
  parameters: readonly string[];
  locals?: readonly string[];
  /** Local variables of sixteen bytes. */
  chunks?: readonly string[];
  body: readonly Code[];
}

const I32 = 0x7f;
const V128 = 0x7b;
const NOTHING = 0x40;
const SIMD = 0xfd;
const END = 0x0b;

function emit(operand: Operand, into: Scope): void {
  if (typeof operand === "number") into.bytes.push(0x41, ...signed(operand));
  else if (typeof operand === "string") into.bytes.push(0x20, indexOf(into.locals, operand));
  else operand(into);
}

/** All of them fit into one byte. */
function indexOf(names: readonly string[], name: string): number {
  const index = names.lastIndexOf(name);
  if (index < 0) throw new Error(`There is no ${name}.`);
  return index;
}

/** An instruction behind what it works on. */
function instruction(...bytes: number[]): (...operands: Operand[]) => Code {
  return (...operands) => {
    return (into) => {
      for (const operand of operands) emit(operand, into);
      into.bytes.push(...bytes);
    };
  };
}

/** One after the other. */
export const all = (...codes: Code[]): Code => {
  return (into) => {
    for (const code of codes) code(into);
  };
};

/** A character as the number that stands for it. */
export const codeOf = (character: string): number => character.charCodeAt(0);

type Binary = (left: Operand, right: Operand) => Code;
type Unary = (operand: Operand) => Code;

export const isZero: Unary = instruction(0x45);
export const equal: Binary = instruction(0x46);
export const unequal: Binary = instruction(0x47);
export const isNegative: Unary = (operand) => instruction(0x48)(operand, 0);
export const below: Binary = instruction(0x49);
export const above: Binary = instruction(0x4b);
export const trailingZeroes: Unary = instruction(0x68);
export const countOfBits: Unary = instruction(0x69);
export const add: Binary = instruction(0x6a);
export const subtract: Binary = instruction(0x6b);
export const both: Binary = instruction(0x71);
export const either: Binary = instruction(0x72);
export const oneOf: Binary = instruction(0x73);
export const not: Unary = (operand) => oneOf(operand, -1);
export const shiftUp: Binary = instruction(0x74);
export const shiftDown: Binary = instruction(0x76);
export const give: Unary = instruction(0x0f);
/** Every path has given something back before. */
export const never: Code = instruction(0x00)();

/** The byte, or the number of two or four bytes, at an address; and how they are put there. */
export const byteAt = (address: Operand, offset = 0): Code =>
  instruction(0x2d, 0, ...unsigned(offset))(address);
export const unitAt = (address: Operand, offset = 0): Code =>
  instruction(0x2f, 0, ...unsigned(offset))(address);
export const numberAt = (address: Operand, offset = 0): Code =>
  instruction(0x28, 0, ...unsigned(offset))(address);
export const putByte = (address: Operand, value: Operand): Code =>
  instruction(0x3a, 0, 0)(address, value);
export const putUnit = (address: Operand, value: Operand, offset = 0): Code =>
  instruction(0x3b, 0, ...unsigned(offset))(address, value);
export const putNumber = (address: Operand, value: Operand, offset = 0): Code =>
  instruction(0x36, 0, ...unsigned(offset))(address, value);
/** So many zeroes from an address on. */
export const clear = (address: Operand, count: number): Code =>
  instruction(0xfc, 11, 0)(address, 0, count);

/** Sixteen bytes, sixteen times the same one, and comparisons of the two byte by byte. */
export const chunkAt = (address: Operand, offset = 0): Code =>
  instruction(SIMD, 0, 0, ...unsigned(offset))(address);
export const sixteen = (byte: number): Code =>
  instruction(SIMD, 0x0c, ...Array.from({ length: 16 }, () => byte))();
export const sameBytes: Binary = instruction(SIMD, 0x23);
export const otherBytes: Binary = instruction(SIMD, 0x24);
export const bytesBelow: Binary = instruction(SIMD, 0x26);
export const leastBytes: Binary = instruction(SIMD, 0x77);
export const hasAny: Unary = instruction(SIMD, 0x53);
/** One bit per byte. */
export const bitsOf: Unary = instruction(SIMD, 0x64);
export const eitherBytes: Binary = instruction(SIMD, 0x50);
export const bothBytes: Binary = instruction(SIMD, 0x4e);
export const differingBytes: Binary = instruction(SIMD, 0x51);
export const bytesLess: Binary = instruction(SIMD, 0x71);
export const putChunk = (address: Operand, value: Operand): Code =>
  instruction(SIMD, 11, 0, 0)(address, value);

/** Eight numbers of two bytes: which are greater, and two times eight of them as bytes. */
export const eightOf = (unit: number): Code =>
  instruction(SIMD, 0x0c, ...Array.from({ length: 8 }, () => [unit & 255, unit >> 8]).flat())();
export const unitsAbove: Binary = instruction(SIMD, 0x32);
export const narrowed: Binary = instruction(SIMD, 0x66);
export const narrowedSigns: Binary = instruction(SIMD, 0x65);

/** Four numbers of four bytes. */
export const fourOf = (numbers: readonly number[]): Code => {
  const bytes = numbers.flatMap((number) =>
    [0, 8, 16, 24].map((shift) => (number >>> shift) & 255),
  );
  return instruction(SIMD, 0x0c, ...bytes)();
};
export const timesEach: Binary = instruction(SIMD, 0xb5, 0x01);
export const numberIn = (four: Operand, which: number): Code =>
  instruction(SIMD, 0x1b, which)(four);

export const set = (local: string, value: Operand): Code => {
  return (into) => {
    emit(value, into);
    into.bytes.push(0x21, indexOf(into.locals, local));
  };
};

export const call = (name: string, ...operands: Operand[]): Code => {
  return (into) => {
    for (const operand of operands) emit(operand, into);
    into.bytes.push(0x10, indexOf(into.functions, name));
  };
};

/** `go(label)` inside of it continues at its beginning. */
export const loop = (label: string, ...body: Code[]): Code => labelled(0x03, label, body);
/** `go(label)` inside of it continues behind it. */
export const block = (label: string, ...body: Code[]): Code => labelled(0x02, label, body);

function labelled(opcode: number, label: string, body: readonly Code[]): Code {
  return (into) => {
    into.bytes.push(opcode, NOTHING);
    into.labels.push(label);
    for (const code of body) code(into);
    into.labels.pop();
    into.bytes.push(END);
  };
}

export const go = (label: string): Code => {
  return ({ bytes, labels }) => {
    bytes.push(0x0c, labels.length - 1 - indexOf(labels, label));
  };
};

export const when = (condition: Operand, ...body: Code[]): Code => {
  const then = labelled(0x04, "", body);
  return (into) => {
    emit(condition, into);
    then(into);
  };
};

export const unless = (condition: Operand, ...body: Code[]): Code =>
  when(isZero(condition), ...body);

/** A program with one memory and perhaps functions from outside, all of them exported by name. */
export function assemble(
  functions: readonly WasmFunction[],
  imported: readonly Pick<WasmFunction, "name" | "parameters">[],
): Uint8Array<ArrayBuffer> {
  const names = [...imported, ...functions].map(({ name }) => name);
  const types = [...imported, ...functions].map(({ parameters }) => {
    return [0x60, ...list(parameters.map(() => [I32])), 1, I32];
  });
  const outside = imported.map(({ name }, at) => [...text("outside"), ...text(name), 0, at]);
  const memory = [...text("outside"), ...text("memory"), 2, 0, 1];
  const exported = functions.map(({ name }, at) => [...text(name), 0, imported.length + at]);
  const bodies = functions.map((one) => {
    const body = bodyOf(one, names);
    return [...unsigned(body.length), ...body];
  });
  const parts = [
    [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    section(1, list(types)),
    section(2, list([...outside, memory])),
    section(3, list(functions.map((_one, at) => [imported.length + at]))),
    section(7, list(exported)),
    section(10, list(bodies)),
  ];
  return new Uint8Array(parts.flat());
}

function bodyOf(one: WasmFunction, functions: readonly string[]): number[] {
  const { parameters, locals = [], chunks = [], body } = one;
  const bytes = list([
    [...unsigned(locals.length), I32],
    [...unsigned(chunks.length), V128],
  ]);
  all(...body)({ bytes, functions, locals: [...parameters, ...locals, ...chunks], labels: [] });
  bytes.push(END);
  return bytes;
}

function section(id: number, content: readonly number[]): number[] {
  return [id, ...unsigned(content.length), ...content];
}

function list(items: readonly number[][]): number[] {
  return [...unsigned(items.length), ...items.flat()];
}

function text(value: string): number[] {
  return list([...Buffer.from(value)].map((byte) => [byte]));
}

/** Seven bits per byte, the lowest first. */
function unsigned(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...unsigned(value >>> 7)];
}

function signed(value: number): number[] {
  const isLast = value >= -64 && value < 64;
  return isLast ? [value & 127] : [(value & 127) | 128, ...signed(value >> 7)];
}
