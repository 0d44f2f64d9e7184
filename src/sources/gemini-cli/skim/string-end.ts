/**
 * The end of a JSON text, sixteen bytes at a time. JavaScript has no such instructions; WebAssembly
 * has, and this one function of it is small enough to be written out:
 *
 *     loop
 *       load 16 bytes; which are `"`, `\` or control characters?
 *       none of them: go on 16 bytes further
 *       the first one is `"`: that is the end
 *       it is `\` with one of "\/bfnrt behind it: go on behind both
 *       anything else is for the caller to judge
 */
export interface TextMemory {
  /** Room for so many bytes, and zeroes behind them; what was asked before is no longer valid. */
  reserve(length: number): Buffer;
  /** Of a text whose opening quote stands before `at`: where it ends, or what is in its way. */
  stop(at: number): number;
}

/** In the memory, bytes begin here; before them lies the table of what may follow a backslash. */
export const FIRST = 256;

const PAGE = 65_536;
const PAD = 64;

export function textMemory(): TextMemory {
  const memory = new WebAssembly.Memory({ initial: 32 });
  const instance = new WebAssembly.Instance(new WebAssembly.Module(moduleBytes()), {
    e: { memory },
  });
  const stop = instance.exports["stop"] as TextMemory["stop"];
  const table = new Uint8Array(memory.buffer, 0, FIRST);
  for (const character of '"\\/bfnrt') table[character.charCodeAt(0)] = 1;
  return {
    stop,
    reserve(length) {
      const missing = FIRST + length + PAD - memory.buffer.byteLength;
      if (missing > 0) memory.grow(Math.ceil(missing / PAGE));
      const bytes = Buffer.from(memory.buffer);
      // Zeroes are control characters: no text goes on behind the end.
      bytes.fill(0, FIRST + length, FIRST + length + PAD);
      return bytes;
    },
  };
}

const I32 = 0x7f;
const [AT, MASK, BYTE] = [0, 1, 2];
const SIMD = 0xfd;

function moduleBytes(): Uint8Array<ArrayBuffer> {
  const body = [
    [1, 2, I32], // two more numbers beside the parameter: the mask and a byte
    [0x03, 0x40], // loop
    [...isByte(34, 0x23), ...isByte(92, 0x23), SIMD, 0x50, ...isByte(32, 0x26), SIMD, 0x50],
    [SIMD, 0x64, 0x22, MASK], // one bit per byte, kept as the mask
    [0x45, 0x04, 0x40], // if none
    [0x20, AT, 0x41, 16, 0x6a, 0x21, AT, 0x0c, 1, 0x0b], // at += 16; loop
    [0x20, AT, 0x20, MASK, 0x68, 0x6a, 0x21, AT], // at += trailing zeroes of the mask
    [0x20, AT, 0x2d, 0, 0, 0x41, 92 | 0x80, 0, 0x47, 0x04, 0x40], // if it is no backslash
    [0x20, AT, 0x0f, 0x0b], // return at
    [0x20, AT, 0x2d, 0, 1, 0x22, BYTE, 0x2d, 0, 0, 0x45, 0x04, 0x40], // if not in the table
    [0x20, AT, 0x0f, 0x0b], // return at
    [0x20, AT, 0x41, 2, 0x6a, 0x21, AT, 0x0c, 0, 0x0b], // at += 2; loop
    [0x00, 0x0b], // never here
  ].flat();
  const parts = [
    [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    section(1, [1, 0x60, 1, I32, 1, I32]), // a function from a number to a number
    section(2, [1, ...name("e"), ...name("memory"), 2, 0, 1]), // the memory comes from outside
    section(3, [1, 0]),
    section(7, [1, ...name("stop"), 0, 0]),
    section(10, [1, ...size(body.length), ...body]),
  ];
  return new Uint8Array(parts.flat());
}

/** Sixteen bytes at `at`, compared with sixteen times the same one. */
function isByte(byte: number, comparison: number): number[] {
  const all = Array.from({ length: 16 }, () => byte);
  return [0x20, AT, SIMD, 0, 0, 0, SIMD, 0x0c, ...all, SIMD, comparison];
}

function section(id: number, content: readonly number[]): number[] {
  return [id, ...size(content.length), ...content];
}

function name(text: string): number[] {
  return [text.length, ...Buffer.from(text)];
}

/** Numbers below 16,384, seven bits per byte. */
function size(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, value >> 7];
}
