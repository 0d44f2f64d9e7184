import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { open } from "../../src/library/library.ts";
import type { RestoredFile } from "../../src/records/native/restore.ts";
import { restoreRecord } from "../../src/library/records.ts";
import { memoryBytes } from "../../src/kernel/bytes.ts";
import { asFile, recordBytes, schema } from "./made.ts";

export async function restored(record: Buffer): Promise<RestoredFile[]> {
  return restoreRecord(memoryBytes("record", record));
}

export function bytesOf(file: RestoredFile): Buffer {
  return Buffer.concat([...file.chunks()].map((chunk) => Buffer.from(chunk)));
}

/** The values of a file: its document, or its lines; a line that is not JSON is its text. */
export function valuesOf(text: string): unknown[] {
  const plain = text.replace(/^\ufeff/, "");
  try {
    return [JSON.parse(plain)];
  } catch {
    // Several lines, or damage.
    return plain.split("\n").flatMap((line) => (line.trim() === "" ? [] : [valueOf(line)]));
  }
}

function valueOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    // Not JSON: compared as text, without its line end.
    return line;
  }
}

export function isSame(original: string, back: string): boolean {
  return isDeepStrictEqual(valuesOf(back), valuesOf(original));
}

export interface Harm {
  isCanonical: boolean;
  mismatch: unknown;
  /** Files that were restored differently or not at all. */
  files: string[];
}

export const UNHARMED: Harm = { isCanonical: true, mismatch: undefined, files: [] };

/** Makes a record, checks it, restores the files and compares them with the originals. */
export async function roundTrip(root: string, id: string): Promise<Harm> {
  const { files: originals } = await open({ roots: [root] }).session(id);
  const record = await recordBytes(root, id);
  const file = asFile(record);
  const back = await restored(record);
  const harmed = originals.filter(({ path }, index) => {
    const again = back[index];
    if (again?.name !== basename(path)) return true;
    return !isSame(readFileSync(path, "utf8"), bytesOf(again).toString("utf8"));
  });
  return {
    isCanonical: file.isCanonical,
    mismatch: schema.checkRecord(file),
    files: harmed.map(({ path }) => path),
  };
}
