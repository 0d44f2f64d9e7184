import { closeSync, existsSync, openSync, readSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import type { SessionFile } from "../model/session-file.ts";
import { sources } from "../sources/index.ts";
import type { Source } from "../sources/source.ts";
import type { SkimmedFile } from "./skim-file.ts";
import { skimFile } from "./skim-file.ts";

/** A file to be skimmed. */
export interface Wanted {
  source: Source;
  file: SessionFile;
}

/** What becomes of a skimmed file. */
export type Take<T> = (one: Wanted, skimmed: SkimmedFile) => T;

/** A second thread that does the same: its script lies beside the program, and is told `told`. */
export interface SecondSkim {
  script: string;
  told: unknown;
}

/** What it gets: the list of all files, and where both threads note which one is next. */
export interface SkimShare {
  wanted: { source: string; file: SessionFile }[];
  next: Int32Array;
  told: unknown;
}

/** Below this, one thread is done before a second one has begun. */
const SHARED_BYTES = 64 * 1024 * 1024;

/** Skims files, by number. Those that are missing have to be read. */
export async function skimFiles<T>(
  wanted: readonly Wanted[],
  take: Take<T>,
  second?: SecondSkim,
): Promise<Map<number, T>> {
  const found = new Map<number, T>();
  const next = new Int32Array(new SharedArrayBuffer(4));
  const theirs = second && beginSecond<T>(wanted, next, second);
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

/** Nothing where it does not pay, or where there is none to be had. */
function beginSecond<T>(
  wanted: readonly Wanted[],
  next: Int32Array,
  { script, told }: SecondSkim,
): Promise<Map<number, T> | undefined> | undefined {
  const bytes = wanted.reduce((sum, { file }) => sum + file.sizeBytes, 0);
  const isKnown = wanted.every(({ source }) => sources.includes(source));
  // Built beside the program; not there when the sources run as they are.
  const path = fileURLToPath(new URL(`../${script}`, import.meta.url));
  if (bytes < SHARED_BYTES || !isKnown || availableParallelism() < 2 || !existsSync(path)) {
    return undefined;
  }
  const files = wanted.map(({ source, file }) => ({ source: source.id, file: { ...file } }));
  const workerData: SkimShare = { wanted: files, next, told };
  const worker = new Worker(path, { workerData });
  return new Promise((resolve) => {
    worker.once("message", resolve);
    worker.once("error", () => resolve(undefined));
    worker.once("exit", () => resolve(undefined));
  });
}

/** Larger files are read piece by piece. */
const MAX_BYTES = 64 * 1024 * 1024;

/** The whole file, valid until the next one is read; nothing when the reader has to see to it. */
function readWhole({ source, file: { path, sizeBytes } }: Wanted): Buffer | undefined {
  if (sizeBytes > MAX_BYTES) return undefined;
  // One byte more: a file that has grown meanwhile fills it.
  const room = source.skimRoom?.(sizeBytes + 1);
  if (!room) return undefined;
  try {
    const descriptor = openSync(path, "r");
    try {
      const count = readSync(descriptor, room, 0, room.length, 0);
      return count === sizeBytes ? room.subarray(0, count) : undefined;
    } finally {
      closeSync(descriptor);
    }
  } catch {
    // The reader will tell what is wrong with it.
    return undefined;
  }
}
