import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Diagnostic } from "../../src/core/files/diagnostic.ts";
import type { Entry } from "../../src/sources/gemini-cli/content.ts";
import type { ByteSource } from "../../src/kernel/bytes.ts";
import { memoryBytes } from "../../src/kernel/bytes.ts";
import type { Format } from "../../src/sources/gemini-cli/formats/format.ts";
import { chopped } from "./chopped.ts";
import { damage, damaged, oddBytes } from "./odd-bytes.ts";

/** A file that the format must read without diagnostics. */
export interface Sample {
  name: string;
  bytes: Buffer;
}

export interface ReadBack {
  entries: Entry[];
  diagnostics: Diagnostic[];
}

export function readWith(format: Pick<Format, "read">, source: ByteSource): ReadBack {
  const back: ReadBack = { entries: [], diagnostics: [] };
  format.read(source, {
    entry: (entry) => back.entries.push(entry),
    report: (diagnostic) => back.diagnostics.push(diagnostic),
  });
  return back;
}

const NAME = "file";

/** Tests that every format must pass, for any bytes. */
export function formatContract(format: Format, samples: readonly Sample[]): void {
  const read = (bytes: Buffer): ReadBack => readWith(format, memoryBytes(NAME, bytes));
  const anySample = fc.constantFrom(...samples.map(({ bytes }) => bytes));
  const anyDamage = fc
    .tuple(anySample, fc.array(damage, { minLength: 1, maxLength: 4 }))
    .map(([bytes, all]) => all.reduce(damaged, bytes));
  const anyBytes = fc.oneof(oddBytes, anyDamage);

  describe(`the format ${format.name}`, () => {
    test("never throws, and gives the same result when it reads again", () => {
      fc.assert(
        fc.property(anyBytes, (bytes) => {
          expect(read(bytes)).toEqual(read(bytes));
        }),
        { numRuns: 400 },
      );
    });

    test("gives the same result for any chunk sizes", () => {
      const sizes = fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 5 });
      fc.assert(
        fc.property(anyBytes, sizes, (bytes, chunkSizes) => {
          expect(readWith(format, chopped(NAME, bytes, chunkSizes))).toEqual(read(bytes));
        }),
        { numRuns: 200 },
      );
    });

    test("gives every entry and diagnostic a place inside the file", () => {
      fc.assert(
        fc.property(anyBytes, (bytes) => {
          const { entries, diagnostics } = read(bytes);
          const lines = bytes.toString("latin1").split("\n").length;
          const places = [...entries.map(({ place }) => place), ...diagnostics];
          for (const { file, line = 1, start = 0, end = start } of places) {
            expect(file).toBe(NAME);
            expect(line >= 1 && line <= lines).toBe(true);
            expect(start >= 0 && start <= end && end <= bytes.length).toBe(true);
          }
        }),
        { numRuns: 200 },
      );
    });

    test("reads its samples without diagnostics", () => {
      for (const { bytes } of samples) expect(read(bytes).diagnostics).toEqual([]);
    });

    test("does not change object prototypes", () => {
      read(Buffer.from('{"__proto__":{"polluted":1},"messages":[{"__proto__":{"polluted":1}}]}'));
      expect(({} as { polluted?: number }).polluted).toBeUndefined();
    });
  });
}

/** Further tests for formats that are only appended to. */
export function appendContract(format: Format, samples: readonly Sample[]): void {
  const read = (bytes: Buffer): ReadBack => readWith(format, memoryBytes(NAME, bytes));

  describe(`the appended format ${format.name}`, () => {
    test("gives an entry or a diagnostic for every line that is not blank", () => {
      const anyDamage = fc
        .tuple(fc.constantFrom(...samples.map(({ bytes }) => bytes)), damage)
        .map(([bytes, sample]) => damaged(bytes, sample));
      fc.assert(
        fc.property(fc.oneof(oddBytes, anyDamage), (bytes) => {
          const { entries, diagnostics } = read(bytes);
          const covered = new Set([
            ...entries.map(({ place }) => place.line),
            ...linesOf(diagnostics),
          ]);
          expect(filledLines(bytes).filter((line) => !covered.has(line))).toEqual([]);
        }),
        { numRuns: 300 },
      );
    });

    test.each(samples)("$name cut at any byte gives the entries before the cut", ({ bytes }) => {
      const whole = read(bytes).entries;
      for (let end = 0; end <= bytes.length; end += stepOf(bytes)) {
        const { entries, diagnostics } = read(bytes.subarray(0, end));
        // A line is complete with its last brace, even without the newline.
        const written = whole.filter(({ place }) => place.end <= end);
        if (entries.length !== written.length) expect(entries).toEqual(written);
        const last = bytes.subarray(bytes.lastIndexOf(10, end - 1) + 1, end);
        const isTorn = last.length > 0 && written.at(-1)?.place.end !== end;
        const torn = diagnostics.filter(({ code }) => code === "torn-line").length;
        if (torn !== (isTorn ? 1 : 0)) expect({ end, torn }).toEqual({ end, torn: isTorn ? 1 : 0 });
      }
      expect(read(bytes.subarray(0, bytes.length - 1)).entries).toEqual(whole);
    });
  });
}

/** Cuts at every byte of a small file, at some of a larger one: each cut is a full read. */
function stepOf({ length }: Buffer): number {
  if (length < 5000) return 1;
  return length < 20_000 ? 7 : 37;
}

function linesOf(diagnostics: readonly Diagnostic[]): number[] {
  return diagnostics.flatMap(({ line }) => line ?? []);
}

/** Numbers of the lines that are not blank. */
function filledLines(bytes: Buffer): number[] {
  const lines = bytes.toString("latin1").split("\n");
  return lines.flatMap((line, index) => (/[^\x01-\x20]/.test(line) ? [index + 1] : []));
}
