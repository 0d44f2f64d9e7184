import { closeSync, openSync, readSync } from "node:fs";
import { sources } from "../sources/index.ts";
import type { SecondSkim, SkimShare, Wanted } from "./second-skim.ts";
import type { SkimmedFile } from "./skim-file.ts";
import { skimFile } from "./skim-file.ts";

/** What becomes of a skimmed file. */
export type Take<T> = (one: Wanted, skimmed: SkimmedFile) => T;

/** A second thread that does the same, and what it has to be told. */
export interface Second {
  begin: (wanted: readonly Wanted[]) => SecondSkim | undefined;
  told: unknown;
  /** What else has to be done, and need not keep it waiting. */
  meanwhile: () => void;
}

/** Skims files, by number. Those that are missing have to be read. */
export async function skimFiles<T>(
  wanted: readonly Wanted[],
  take: Take<T>,
  second?: Second,
): Promise<Map<number, T>> {
  const found = new Map<number, T>();
  const next = new Int32Array(new SharedArrayBuffer(4));
  const theirs = second?.begin(wanted)?.skim<T>(wanted, next, second.told);
  second?.meanwhile();
  skimNext(wanted, next, (at, one, skimmed) => found.set(at, take(one, skimmed)));
  const told = await theirs;
  for (const [at, one] of told ?? []) found.set(at, one);
  // It did not come to its end: what it took is skimmed here.
  if (theirs && !told) skimRest(wanted, found, take);
  return found;
}

/** The second thread's part: it takes from the same list, and tells all in the end. */
export function skimShare<T>({ wanted, next }: SkimShare, take: Take<T>): Map<number, T> {
  const known = wanted.flatMap(({ source, file }) => {
    const found = sources.find(({ id }) => id === source);
    return found ? [{ source: found, file }] : [];
  });
  const found = new Map<number, T>();
  skimNext(known, next, (at, one, skimmed) => found.set(at, take(one, skimmed)));
  return found;
}

/** Takes file after file until none is left. */
function skimNext(
  wanted: readonly Wanted[],
  next: Int32Array,
  use: (at: number, one: Wanted, skimmed: SkimmedFile) => void,
): void {
  for (;;) {
    const at = Atomics.add(next, 0, 1);
    const one = wanted[at];
    if (!one) return;
    const bytes = readWhole(one);
    const skimmed = bytes && skimFile(one.source, one.file, bytes);
    if (skimmed) use(at, one, skimmed);
  }
}

function skimRest<T>(wanted: readonly Wanted[], found: Map<number, T>, take: Take<T>): void {
  const rest = [...wanted.keys()].filter((at) => !found.has(at));
  const files = rest.flatMap((at) => wanted[at] ?? []);
  skimNext(files, new Int32Array(1), (at, one, skimmed) => {
    found.set(rest[at] ?? -1, take(one, skimmed));
  });
}

/** Larger files are read piece by piece. */
const MAX_BYTES = 64 * 1024 * 1024;

/** The whole file, valid until the next one is read; nothing when the reader has to see to it. */
function readWhole({ source, file: { path, sizeBytes } }: Wanted): Buffer | undefined {
  if (sizeBytes > MAX_BYTES) return undefined;
  try {
    // One byte more: a file that has grown meanwhile fills it.
    const room = source.skimRoom?.(sizeBytes + 1);
    if (!room) return undefined;
    const descriptor = openSync(path, "r");
    try {
      const count = readSync(descriptor, room, 0, room.length, 0);
      return count === sizeBytes ? room.subarray(0, count) : undefined;
    } finally {
      closeSync(descriptor);
    }
  } catch {
    // The reader will tell what is wrong with it; or there was no room in memory for all of it.
    return undefined;
  }
}
