/**
 * A few instructions of WebAssembly by name, so that a program for it can be written and read as
 * code. An operand is a number, the name of a local variable, or an instruction that leaves a
 * value. All values are 32-bit numbers, but for the sixteen bytes of a chunk.
 */
export type Code = (scope: Scope) => number[];
export type Operand = number | string | Code;

interface Scope {
  locals: readonly string[];
  labels: readonly string[];
  functions: readonly string[];
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

function emit(operand: Operand, scope: Scope): number[] {
  if (typeof operand === "number") return [0x41, ...signed(operand)];
  if (typeof operand === "string") return [0x20, ...indexOf(scope.locals, operand)];
  return operand(scope);
}

function all(codes: readonly Code[], scope: Scope): number[] {
  return codes.flatMap((code) => code(scope));
}

function indexOf(names: readonly string[], name: string): number[] {
  const index = names.lastIndexOf(name);
  if (index < 0) throw new Error(`There is no ${name}.`);
  return unsigned(index);
}

/** An instruction behind what it works on. */
function instruction(...bytes: number[]): (...operands: Operand[]) => Code {
  return (...operands) => {
    return (scope) => [...operands.flatMap((operand) => emit(operand, scope)), ...bytes];
  };
}

type Binary = (left: Operand, right: Operand) => Code;
type Unary = (operand: Operand) => Code;

export const isZero: Unary = instruction(0x45);
export const below: Binary = instruction(0x49);
export const above: Binary = instruction(0x4b);
export const trailingZeroes: Unary = instruction(0x68);
export const add: Binary = instruction(0x6a);
export const subtract: Binary = instruction(0x6b);
export const both: Binary = instruction(0x71);
export const either: Binary = instruction(0x72);
export const differing: Binary = instruction(0x73);
export const shiftedUp: Binary = instruction(0x74);
export const shiftedDown: Binary = instruction(0x76);
export const give: Unary = instruction(0x0f);
/** Every path has given something back before. */
export const never: Code = () => [0x00];

/** The number of four bytes at an address, and how it is put there. */
export const numberAt = (address: Operand, offset = 0): Code =>
  instruction(0x28, 0, ...unsigned(offset))(address);
export const putNumber = (address: Operand, value: Operand, offset = 0): Code =>
  instruction(0x36, 0, ...unsigned(offset))(address, value);

/** Sixteen bytes, sixteen times the same one, and comparisons of the two byte by byte. */
export const chunkAt: Unary = instruction(SIMD, 0, 0, 0);
export const sixteen = (byte: number): Code =>
  instruction(SIMD, 0x0c, ...Array.from({ length: 16 }, () => byte))();
export const sameBytes: Binary = instruction(SIMD, 0x23);
export const bytesBelow: Binary = instruction(SIMD, 0x26);
export const eitherBytes: Binary = instruction(SIMD, 0x50);
export const bothBytes: Binary = instruction(SIMD, 0x4e);
export const differingBytes: Binary = instruction(SIMD, 0x51);
export const bytesLess: Binary = instruction(SIMD, 0x71);
export const hasBytes: Unary = instruction(SIMD, 0x53);
/** One bit per byte. */
export const bitsOf: Unary = instruction(SIMD, 0x64);
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
export const oneOf = (four: Operand, which: number): Code => instruction(SIMD, 0x1b, which)(four);

export const set = (local: string, value: Operand): Code => {
  return (scope) => [...emit(value, scope), 0x21, ...indexOf(scope.locals, local)];
};

export const call = (name: string, ...operands: Operand[]): Code => {
  return (scope) => [
    ...operands.flatMap((operand) => emit(operand, scope)),
    0x10,
    ...indexOf(scope.functions, name),
  ];
};

/** `go(label)` inside of it continues at its beginning. */
export const loop = (label: string, ...body: Code[]): Code => labelled(0x03, label, body);
/** `go(label)` inside of it continues behind it. */
export const block = (label: string, ...body: Code[]): Code => labelled(0x02, label, body);

function labelled(opcode: number, label: string, body: readonly Code[]): Code {
  return (scope) => {
    const inside = { ...scope, labels: [...scope.labels, label] };
    return [opcode, NOTHING, ...all(body, inside), END];
  };
}

export const go = (label: string): Code => {
  return ({ labels }) => {
    const [index = 0] = indexOf(labels, label);
    return [0x0c, labels.length - 1 - index];
  };
};

export const when = (condition: Operand, ...body: Code[]): Code => {
  return (scope) => [...emit(condition, scope), ...labelled(0x04, "", body)(scope)];
};

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
  const scope = { locals: [...parameters, ...locals, ...chunks], labels: [], functions };
  const declared = list([
    [...unsigned(locals.length), I32],
    [...unsigned(chunks.length), V128],
  ]);
  return [...declared, ...all(body, scope), END];
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
