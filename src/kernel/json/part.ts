import type { WalkMemory } from "./row.ts";

/** A part of a file that has been walked: its bytes and its records, in the memory of the walk. */
export interface Part {
  memory: WalkMemory;
  /** Start and end of its bytes: whole lines, or a document. */
  first: number;
  end: number;
  /** Offset of its first byte in the file. */
  offset: number;
  /** Address of the first record, and the number of records. */
  records: number;
  count: number;
  /** Undefined if not checked yet. */
  isUtf8: boolean | undefined;
}

/** Where the walk of a file continues: at a line that has not been walked. */
export interface Continuation {
  offset: number;
  line: number;
}

export const START: Continuation = { offset: 0, line: 1 };

/** Parts of one file, walked by another thread. A part is valid until the next one is requested. */
export interface PartsAhead {
  /** Undefined at the end; a continuation if the rest is left to the caller. */
  next(): Part | Continuation | undefined;
  close(): void;
}
