import fc from "fast-check";

/** Pieces for building damaged and hostile session files. */
const PIECES = [
  '{"sessionId":"S","projectHash":"H","startTime":"2026-05-04T10:00:00.000Z","kind":"main"}',
  '{"id":"u1","timestamp":"2026-05-04T10:01:00.000Z","type":"user","content":[{"text":"hi"}]}',
  '{"id":"g1","type":"gemini","content":"","tokens":{"input":1,"output":2,"total":3},"toolCalls":[',
  '{"id":"c1","name":"read_file","args":{"__proto__":{"polluted":true}},"result":[',
  '{"functionResponse":{"id":"c1","response":{"output":"x"}}}',
  '{"$set":{"messages":[',
  '{"$set":{"lastUpdated":"never","directories":[null]}}',
  '{"$rewindTo":"u1"}',
  '"messages":[',
  '"history":[{"role":"user","parts":[{"text":"q"}]}]',
  '{"__proto__":{"polluted":true},"constructor":null,"id":"__proto__","type":"__proto__"}',
  '"\\ud83d"',
  "[[[[[[[[",
  "]]}}",
  "{",
  "}",
  "[",
  "]",
  ",",
  ":",
  '"',
  "\\",
  "\0",
  "\ufeff",
  "\r\n",
  "\n",
  " ",
  "null",
  "1e999",
  "-0",
] as const;

const oddText: fc.Arbitrary<string> = fc
  .array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ maxLength: 8 })), { maxLength: 40 })
  .map((pieces) => pieces.join(""));

/** Arbitrary bytes, and bytes that look like session files. */
export const oddBytes: fc.Arbitrary<Buffer> = fc.oneof(
  fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
  oddText.map((text) => Buffer.from(text)),
);

/** One way to damage bytes, at a position between their start (0) and their end (1). */
interface Damage {
  at: number;
  length: number;
  how: "cut" | "double" | "overwrite" | "insert";
  bytes: Uint8Array;
}

export const damage: fc.Arbitrary<Damage> = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  length: fc.integer({ min: 1, max: 200 }),
  how: fc.constantFrom("cut", "double", "overwrite", "insert"),
  bytes: fc.uint8Array({ minLength: 1, maxLength: 8 }),
});

export function damaged(whole: Buffer, { at, length, how, bytes }: Damage): Buffer {
  const from = Math.floor(at * whole.length);
  const to = Math.min(whole.length, from + length);
  const [before, hit, after] = [
    whole.subarray(0, from),
    whole.subarray(from, to),
    whole.subarray(to),
  ];
  switch (how) {
    case "cut":
      return Buffer.concat([before, after]);
    case "double":
      return Buffer.concat([before, hit, hit, after]);
    case "overwrite":
      return Buffer.concat([before, Buffer.from(bytes), whole.subarray(from + bytes.length)]);
    case "insert":
      return Buffer.concat([before, Buffer.from(bytes), whole.subarray(from)]);
    default:
      return how satisfies never;
  }
}
